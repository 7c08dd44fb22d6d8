# title: Horde
# family: chess
# origin: chess variant of Lord Dunsany, 1942, in the form played on the Internet
# rules: White has thirty-six pawns and no king, black the usual army. Pawns on white's first row may go two fields
#   too, but cannot then be captured en passant. Black wins by capturing everything, white by mate; otherwise the
#   rules of chess hold.
# not covered: draws by insufficient material, by agreement and on claim
# checked: perft 1-5: 8, 128, 1274, 23310, 265223 (Fairy-Stockfish); positions against python-chess

dimensions (8, 8)

pieces
{
    pawn 'P' 'p'
    knight 'N' 'n'
    bishop 'B' 'b'
    rook 'R' 'r'
    queen 'Q' 'q'
    king 'K' 'k'
}

properties
{
    # Left and right as the player sees the board: black's king side is on the left.
    may_castle_left, may_castle_right : player : [0 .. 1]
    # The column, as the player to move sees it, behind a pawn that may be captured en passant; 0 for none.
    en_passant : board : [0 .. 8]
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 101] silent below 80
}

notation
{
    flags 'K' white may_castle_right, 'Q' white may_castle_left, 'k' black may_castle_left, 'q' black may_castle_right
    square (en_passant, 6)
    number halfmoves
    counter
}

repetition draw after 3

setup
{
    rnbqkbnr
    pppppppp
    ........
    .PP..PP.
    PPPPPPPP
    PPPPPPPP
    PPPPPPPP
    PPPPPPPP
    white to move
    black may_castle_left = 1
    black may_castle_right = 1
}

main = try [ assert (halfmoves < 100), legal_move ]
    else try mated
    else try [ assert (!number of own piece), loss ]
    else draw.

mated = test [ find own king, attacked ],
    not legal_move,
    loss.

legal_move = either pawn_move or [
        assign (halfmoves = halfmoves + 1),
        either knight_move or bishop_move or rook_move or queen_move or king_move or castling,
        assign (en_passant = 0),
    ],
    not [ find own king, attacked ].

# ---- pawns

pawn_move = irreversible,
    assign (halfmoves = 0),
    find own pawn,
    pick up,
    either advance or pawn_capture,
    put down,
    try promotion.

advance = north,
    step,
    points at empty field,
    either assign (en_passant = 0)
    or [ assert (row == 2), step, points at empty field, assign (en_passant = 0) ]
    or [
        assert (row == 3),
        step,
        points at empty field,
        try [
            test [ either west or east, step, points at opponent's pawn ],
            assign (en_passant = 9 - column),
        ] else assign (en_passant = 0),
    ].

pawn_capture = either northwest or northeast,
    step,
    either [ points at opponent's piece, rook_loses_castling ] or capture_en_passant,
    assign (en_passant = 0).

capture_en_passant = assert (row == 6 && column == en_passant),
    south,
    step,
    replace by empty field,
    step backward.

promotion = assert (row == 8),
    either replace by queen or replace by knight or replace by rook or replace by bishop.

# ---- pieces

knight_move = find own knight, pick up, knight_jump, land.

knight_jump = orthogonal, step, either turn 45 or turn -45, step.

bishop_move = find own bishop, pick up, diagonal, slide, land.

queen_move = find own queen, pick up, any direction, slide, land.

rook_move = find own rook,
    try [ assert (row == 1 && column == 1 && may_castle_left), irreversible, assign (may_castle_left = 0) ],
    try [ assert (row == 1 && column == 8 && may_castle_right), irreversible, assign (may_castle_right = 0) ],
    pick up,
    orthogonal,
    slide,
    land.

king_move = find own king,
    pick up,
    any direction,
    step,
    land,
    king_loses_castling.

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
        assert (row == 8 && column == 8),
        assign (opponent's may_castle_left = 0),
    ].

castling = assert (may_castle_left || may_castle_right),
    find own king,
    either [ assert (may_castle_left), west ] or [ assert (may_castle_right), east ],
    test [
        do step while points at empty field,
        points at own rook,
        assert (column == 1 || column == 8),
    ],
    test repeat 3 times [ not attacked, step ],
    king_loses_castling,
    pick up,
    repeat 2 times step,
    put down,
    while step do nothing,
    pick up,
    do step backward while not points at own king,
    step backward,
    put down.

# ---- attacks on the finger's field

attacked = test either
    [ either northwest or northeast, step, points at opponent's pawn ]
    or [ knight_jump, points at opponent's knight ]
    or [ diagonal, look, either points at opponent's bishop or points at opponent's queen ]
    or [ orthogonal, look, either points at opponent's rook or points at opponent's queen ]
    or [ any direction, step, points at opponent's king ].

# To the first field that is not empty.
look = do step while points at empty field.
