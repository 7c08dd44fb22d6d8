# title: Capablanca chess
# family: chess
# origin: José Raúl Capablanca, about 1925
# rules: Chess on a board of ten columns with two more pieces on each side: the archbishop moves like bishop and
#   knight, the chancellor like rook and knight. The king goes three fields when castling, and pawns may become any
#   piece. All else is as in chess.
# not covered: draws by insufficient material, by agreement and on claim
# checked: perft 1-4: 28, 784, 25228, 805128 (Fairy-Stockfish); positions against it

dimensions (10, 8)

pieces
{
    pawn 'P' 'p'
    knight 'N' 'n'
    bishop 'B' 'b'
    rook 'R' 'r'
    archbishop 'A' 'a'
    chancellor 'C' 'c'
    queen 'Q' 'q'
    king 'K' 'k'
}

properties
{
    # Left and right as the player sees the board: black's king side is on the left.
    may_castle_left, may_castle_right : player : [0 .. 1]
    # The column, as the player to move sees it, behind a pawn that may be captured en passant; 0 for none.
    en_passant : board : [0 .. 10]
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 101] silent below 80
}

tables
{
    progress = 0, 0, 0, 5, 12, 30, 60, 110, 0
}

evaluation
{
    pawns : 90 + progress[row] = find own pawn.
    knights : 300 = find own knight.
    bishops : 320 = find own bishop.
    rooks : 480 = find own rook.
    archbishops : 800 = find own archbishop.
    chancellors : 860 = find own chancellor.
    queens : 920 = find own queen.
    knight_reach : 5 = find own knight, knight_jump, reach.
    bishop_reach : 4 = find own bishop, diagonal, slide, reach.
    rook_reach : 3 = find own rook, orthogonal, slide, reach.
    archbishop_reach : 2 = find own archbishop, either knight_jump or [ diagonal, slide ], reach.
    chancellor_reach : 2 = find own chancellor, either knight_jump or [ orthogonal, slide ], reach.
    queen_reach : 1 = find own queen, any direction, slide, reach.
    knight_attack : 9 = find own knight, knight_jump, near_king.
    bishop_attack : 9 = find own bishop, diagonal, slide, near_king.
    rook_attack : 9 = find own rook, orthogonal, slide, near_king.
    archbishop_attack : 9 = find own archbishop, either knight_jump or [ diagonal, slide ], near_king.
    chancellor_attack : 9 = find own chancellor, either knight_jump or [ orthogonal, slide ], near_king.
    queen_attack : 9 = find own queen, any direction, slide, near_king.
    # Pawns that hold together, stand behind one another, or have a free way.
    linked : 10 = find own pawn, test [ either southwest or southeast, step, points at own pawn ].
    doubled : -15 = find own pawn, test [ north, step, points at own pawn ].
    free : 2 * progress[row] / 3 + 10 = find own pawn, not [ north, repeat 1 .. infinity times step, points at any piece ],
        not [ either west or east, step, north, repeat 1 .. infinity times step, points at opponent's pawn ].
    shelter : 10 = find own king, assert (row < 3), either northwest or north or northeast, step, points at own pawn.
}

notation
{
    flags 'K' white may_castle_right, 'Q' white may_castle_left, 'k' black may_castle_left, 'q' black may_castle_right
    square (en_passant, 6)
    number halfmoves
    counter
}

repetition draw after 3

possible
{
    "each side must have one king" = assert (number of white king == 1 && number of black king == 1).
    "no pawn can stand on the first or the last row" = not [ find pawn, assert (row == 1 || row == 8) ].
    "the player to move must not be able to take the king" = not [ find own king, attacked ].
    # A right that does not count any more is forgotten.
    "a pawn that can be taken in passing must have just moved two fields" = try assert (!en_passant) else [
            move to (11 - en_passant, 4),
            points at own pawn,
            test [ south, repeat 2 times [ step, points at empty field ] ],
            try [ not [ replace by empty field, taken_in_passing ], assign (en_passant = 0) ],
        ].
    "king and rook must be at home to castle" = castling_at_home.
}

setup
{
    rnabqkbcnr
    pppppppppp
    ..........
    ..........
    ..........
    ..........
    PPPPPPPPPP
    RNABQKBCNR
    white to move
    white may_castle_left = 1
    white may_castle_right = 1
    black may_castle_left = 1
    black may_castle_right = 1
}

main = try [ assert (halfmoves < 100), legal_move ] else try mated else draw.

mated = test [ find own king, attacked ],
    not legal_move,
    loss.

legal_move = either pawn_move or [
        assign (halfmoves = halfmoves + 1),
        either knight_move or bishop_move or rook_move or queen_move or king_move or castling
        or archbishop_move or chancellor_move,
        assign (en_passant = 0),
    ],
    not [ find own king, attacked ].

# ---- pawns

pawn_move = irreversible,
    assign (halfmoves = 0),
    find own pawn, pick up, either advance or pawn_capture, put down, try promotion.

advance = north,
    step,
    points at empty field,
    either assign (en_passant = 0) or [
        assert (row == 3),
        step,
        points at empty field,
        try [
            taken_in_passing,
            assign (en_passant = 11 - column),
        ] else assign (en_passant = 0),
    ].

pawn_capture = either northwest or northeast, step,
    either [ points at opponent's piece, rook_loses_castling ] or capture_en_passant,
    assign (en_passant = 0).

capture_en_passant = assert (row == 6 && column == en_passant),
    south, step, replace by empty field, step backward.

# Whether the opponent may take the pawn that has just come to the finger's field, and is not there yet, in passing.
taken_in_passing = test [
        either [ west, step, points at opponent's pawn, replace by empty field, southeast, step ]
        or [ east, step, points at opponent's pawn, replace by empty field, southwest, step ],
        replace by opponent's pawn,
        not [ find opponent's king, threatened ],
    ].

promotion = assert (row == 8),
    either [ replace by queen, forcing ] or replace by knight or replace by rook or replace by bishop
    or replace by archbishop or replace by chancellor.

# ---- pieces

knight_move = find own knight, pick up, knight_jump, land.

knight_jump = orthogonal, step, either turn 45 or turn -45, step.

bishop_move = find own bishop, pick up, diagonal, slide, land.

queen_move = find own queen, pick up, any direction, slide, land.

archbishop_move = find own archbishop, pick up, either knight_jump or [ diagonal, slide ], land.

chancellor_move = find own chancellor, pick up, either knight_jump or [ orthogonal, slide ], land.

rook_move = find own rook,
    try [ assert (row == 1 && column == 1 && may_castle_left), irreversible, assign (may_castle_left = 0) ],
    try [ assert (row == 1 && column == 10 && may_castle_right), irreversible, assign (may_castle_right = 0) ],
    pick up,
    orthogonal,
    slide,
    land.

king_move = find own king, pick up, any direction, step, land, king_loses_castling.

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

land = not points at own piece,
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0), rook_loses_castling ],
    put down.

# ---- castling

king_loses_castling = try [
        assert (may_castle_left || may_castle_right),
        irreversible,
        assign (may_castle_left = may_castle_right = 0),
    ].

# A rook that is captured at home cannot castle any more; the opponent sees the board the other way round.
rook_loses_castling = try [
        assert (row == 8 && column == 1),
        assign (opponent's may_castle_right = 0),
    ] else try [
        assert (row == 8 && column == 10),
        assign (opponent's may_castle_left = 0),
    ].

castling = assert (may_castle_left || may_castle_right),
    find own king,
    either [ assert (may_castle_left), west ] or [ assert (may_castle_right), east ],
    test [
        do step while points at empty field,
        points at own rook,
        assert (column == 1 || column == 10),
    ],
    test repeat 4 times [ not attacked, step ],
    king_loses_castling,
    pick up,
    repeat 3 times step,
    put down,
    while step do nothing,
    pick up,
    do step backward while not points at own king,
    step backward,
    put down.

# Rights that the pieces do not bear out are forgotten.
castling_at_home = try [ not [ find own king, assert (row == 1), in_the_middle ],
        assign (may_castle_left = may_castle_right = 0) ],
    try [ not [ find opponent's king, assert (row == 8), in_the_middle ],
        assign (opponent's may_castle_left = opponent's may_castle_right = 0) ],
    try [ not [ move to (1, 1), points at own rook ], assign (may_castle_left = 0) ],
    try [ not [ move to (10, 1), points at own rook ], assign (may_castle_right = 0) ],
    try [ not [ move to (10, 8), points at opponent's rook ], assign (opponent's may_castle_left = 0) ],
    try [ not [ move to (1, 8), points at opponent's rook ], assign (opponent's may_castle_right = 0) ].

in_the_middle = try [ white to move, assert (column == 6) ] else [ black to move, assert (column == 5) ].

# ---- attacks on the finger's field

attacked = test either
    [ either northwest or northeast, step, points at opponent's pawn ]
    or [ knight_jump, either points at opponent's knight or points at opponent's archbishop
        or points at opponent's chancellor ]
    or [ diagonal, look, either points at opponent's bishop or points at opponent's queen
        or points at opponent's archbishop ]
    or [ orthogonal, look, either points at opponent's rook or points at opponent's queen
        or points at opponent's chancellor ]
    or [ any direction, step, points at opponent's king ].

# To the first field that is not empty.
look = do step while points at empty field.

# ---- attacks of the mover's pieces on the finger's field

threatened = test either
    [ either southwest or southeast, step, points at own pawn ]
    or [ knight_jump, either points at own knight or points at own archbishop or points at own chancellor ]
    or [ diagonal, look, either points at own bishop or points at own archbishop or points at own queen ]
    or [ orthogonal, look, either points at own rook or points at own chancellor or points at own queen ].

# ---- evaluation

# A field that no pawn of the opponent guards.
reach = not points at own piece, not [ either northwest or northeast, step, points at opponent's pawn ].

near_king = test [ any direction, step, points at opponent's king ].

# perft: 28, 784
