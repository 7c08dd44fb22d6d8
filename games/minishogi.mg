# title: Minishogi
# family: chess
# origin: Shigenobu Kusumoto, about 1970; in Japan 5-5 shogi
# rules: Japanese chess on a board of five by five fields: the gold moves one field straight or diagonally forward, the
#   silver diagonally or straight forward, the pawn straight forward, king, rook and bishop as in chess. Captured pieces
#   change sides and may be put on an empty field instead of a move. A piece that moves to, or from, the last row may be
#   promoted, a pawn must be: silver and pawn become a gold, rook and bishop also move like a king. A pawn must not be
#   put on the last row, nor in a column with another pawn of the same player, nor so that it mates. A player who cannot
#   move loses.
# not covered: a fourth occurrence of a position is a loss for the player who began, or for one who gave check all the
#   time; here it is a draw
# checked: perft 1-5 (Lishogi): 14, 181, 2512, 35401, 533203; positions against Fairy-Stockfish, mates by a dropped pawn
#   taken out

dimensions (5, 5)

pieces
{
    king 'K' 'k'
    gold 'G' 'g'
    silver 'S' 's'
    bishop 'B' 'b'
    rook 'R' 'r'
    pawn 'P' 'p'
    # The promoted ones.
    great_silver 'A' 'a'
    horse 'H' 'h'
    dragon 'D' 'd'
    tokin 'T' 't'
}

appearance
{
    king : shogi, '王', '玉'
    gold : shogi, '金'
    silver : shogi, '銀'
    bishop : shogi, '角'
    rook : shogi, '飛'
    pawn : shogi, '歩'
    great_silver : shogi, '全'
    horse : shogi, '馬'
    dragon : shogi, '竜'
    tokin : shogi, 'と'
}

properties
{
    # What each player has captured and may put.
    golds, silvers, bishops, rooks, pawns : player : [0 .. 2]
    # Whether the move began on the last row.
    from_last_row : move : [0 .. 1]
}

evaluation
{
    board_golds : 520 = find own gold.
    board_silvers : 450 = find own silver.
    board_bishops : 700 = find own bishop.
    board_rooks : 850 = find own rook.
    board_pawns : 100 + 10 * row = find own pawn.
    great_silvers : 520 = find own great_silver.
    horses : 1000 = find own horse.
    dragons : 1200 = find own dragon.
    tokins : 400 = find own tokin.
    # In the hand a piece can go anywhere.
    hand : 580 * golds + 510 * silvers + 780 * bishops + 950 * rooks + 130 * pawns = nothing.
    slider_reach : 8 = either [ either find own bishop or find own horse, diagonal, slide ]
        or [ either find own rook or find own dragon, orthogonal, slide ], not points at own piece.
    # Control of the fields next to the kings.
    attack : 35 = find opponent's king, any direction, step, threatened.
    guard : 20 = find own king, any direction, step, points at own piece.
    pressed : -30 = find own king, any direction, step, not points at own piece, attacked.
}

repetition draw after 4

notation
{
    hands gold golds, pawn pawns, silver silvers, rook rooks, bishop bishops
    promoted great_silver silver, horse bishop, dragon rook, tokin pawn
    fixed '-'
    fixed '-'
    fixed '0'
    counter
}

possible
{
    "each side must have one king" = assert (number of white king == 1 && number of black king == 1).
    "no pawn can stand on the last row" = not [ find own pawn, assert (row == 5) ],
        not [ find opponent's pawn, assert (row == 1) ].
    "the player to move must not be able to take the king" = not [ find own king, attacked ].
}

setup
{
    rbsgk
    ....p
    .....
    P....
    KGSBR
    white to move
}

main = try [ either walk or drop, not [ find own king, attacked ] ] else loss.

# ---- moves on the board

walk = either [ find own king, pick up, any direction, step, land ]
    or [ either find own gold or find own great_silver or find own tokin, pick up, gold_step, land ]
    or [ find own horse, pick up, either [ diagonal, slide ] or [ orthogonal, step ], land ]
    or [ find own dragon, pick up, either [ orthogonal, slide ] or [ diagonal, step ], land ]
    or [ find own pawn, name field, pick up, north, step, land, name field,
        try [ assert (row == 5), replace by tokin, name "+" ] ]
    or [ promotable_move, assign (from_last_row = 0) ].

promotable_move = either
    [ find own silver, leave, silver_step, land, name field,
        optionally [ on_last_row, replace by great_silver, name "+" ] ]
    or [ find own bishop, leave, diagonal, slide, land, name field,
        optionally [ on_last_row, replace by horse, name "+" ] ]
    or [ find own rook, leave, orthogonal, slide, land, name field,
        optionally [ on_last_row, replace by dragon, name "+" ] ].

leave = name field, try [ assert (row == 5), assign (from_last_row = 1) ], pick up.

on_last_row = assert (from_last_row || row == 5).

gold_step = either orthogonal or northwest or northeast, step.

silver_step = either diagonal or north, step.

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

land = not points at own piece, try capture, put down.

capture = try [ points at opponent's gold, assign (golds++) ]
    else try [ either points at opponent's silver or points at opponent's great_silver, assign (silvers++) ]
    else try [ either points at opponent's bishop or points at opponent's horse, assign (bishops++) ]
    else try [ either points at opponent's rook or points at opponent's dragon, assign (rooks++) ]
    else [ either points at opponent's pawn or points at opponent's tokin, assign (pawns++) ].

# ---- drops

drop = either [ assert (golds), assign (golds--), find empty field, replace by gold ]
    or [ assert (silvers), assign (silvers--), find empty field, replace by silver ]
    or [ assert (bishops), assign (bishops--), find empty field, replace by bishop ]
    or [ assert (rooks), assign (rooks--), find empty field, replace by rook ]
    or [ assert (pawns), assign (pawns--), drop_pawn ],
    name piece "@" field.

drop_pawn = find empty field,
    assert (row < 5),
    not [ either north or south, repeat 1 .. infinity times step, points at own pawn ],
    replace by pawn,
    not mates.

# The pawn at the finger gives check, the king cannot go anywhere, and nothing else can capture the pawn: whatever
# does stands in its place, which a pawn of the opponent shows as well.
mates = test [ north, step, points at opponent's king, not escapes ],
    not [ replace by opponent's pawn, attacker, replace by empty field, find opponent's king, not threatened ].

escapes = pick up, any direction, step, not points at opponent's piece, put down, not threatened.

# ---- attacks on the finger's field by the opponent

attacked = test either [ any direction, step, points at opponent's king ] or attacker.

# To a piece of the opponent, other than the king, that could move here.
attacker = either [ gold_step, either points at opponent's gold or points at opponent's great_silver
        or points at opponent's tokin ]
    or [ silver_step, points at opponent's silver ]
    or [ north, step, points at opponent's pawn ]
    or [ diagonal, look, either points at opponent's bishop or points at opponent's horse ]
    or [ orthogonal, step, points at opponent's horse ]
    or [ orthogonal, look, either points at opponent's rook or points at opponent's dragon ]
    or [ diagonal, step, points at opponent's dragon ].

# ---- and by the mover

threatened = test either
    [ any direction, step, points at own king ]
    or [ either orthogonal or southwest or southeast, step, either points at own gold or points at own great_silver
        or points at own tokin ]
    or [ either diagonal or south, step, points at own silver ]
    or [ south, step, points at own pawn ]
    or [ diagonal, look, either points at own bishop or points at own horse ]
    or [ orthogonal, step, points at own horse ]
    or [ orthogonal, look, either points at own rook or points at own dragon ]
    or [ diagonal, step, points at own dragon ].

# To the first field that is not empty.
look = do step while points at empty field.

# perft: 14, 181, 2512
