# title: Atomic chess
# family: chess
# origin: German Internet Chess Server, 1995
# rules: The rules of chess, but a capture is an explosion: the captured piece, the capturing piece and all pieces
#   around them but pawns are gone. Who blows up the opponent's king has won, even out of check; the own king must
#   not be blown up, cannot capture, and is safe next to the opponent's.
# not covered: draws by insufficient material, by agreement and on claim; the choice of a piece that explodes at once
# checked: perft 1-4: 20, 400, 8902, 197326 (Fairy-Stockfish); positions against python-chess

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
    ........
    ........
    ........
    PPPPPPPP
    RNBQKBNR
    white to move
    white may_castle_left = 1
    white may_castle_right = 1
    black may_castle_left = 1
    black may_castle_right = 1
}

main = try [ assert (halfmoves < 100), legal_move ] else try mated else draw.

mated = test [ find own king, not safe ],
    not legal_move,
    loss.

legal_move = either pawn_move or [
        assign (halfmoves = halfmoves + 1),
        either knight_move or bishop_move or rook_move or queen_move or king_move or castling,
        assign (en_passant = 0),
    ],
    find own king,
    try [ not find opponent's king, win ] else safe.

# Kings that stand side by side protect each other: a capture would end both.
safe = test try [ any direction, step, points at opponent's king ] else not attacked.

# ---- pawns

pawn_move = irreversible,
    assign (halfmoves = 0),
    find own pawn,
    pick up,
    either [ advance, put down, try promotion ] or pawn_capture.

advance = north,
    step,
    points at empty field,
    either assign (en_passant = 0) or [
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
    either points at opponent's piece or capture_en_passant,
    explode,
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
    points at empty field,
    put down,
    king_loses_castling.

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

land = either [ points at empty field, put down ] or [ points at opponent's piece, explode ].

# The piece in the hand, the captured one and all but pawns around them are gone.
explode = irreversible,
    assign (halfmoves = 0),
    replace by empty field,
    north,
    repeat 8 times [
        try [ step, try [ points at any piece, not points at pawn, replace by empty field ], step backward ],
        turn 45,
    ],
    rooks_lose_castling.

# ---- castling

king_loses_castling = try [
        assert (may_castle_left || may_castle_right),
        irreversible,
        assign (may_castle_left = may_castle_right = 0),
    ].

# The opponent sees the board the other way round.
rooks_lose_castling =
    try [ assert (may_castle_left), move to (1, 1), not points at own rook, assign (may_castle_left = 0) ],
    try [ assert (may_castle_right), move to (8, 1), not points at own rook, assign (may_castle_right = 0) ],
    try [ move to (1, 8), not points at opponent's rook, assign (opponent's may_castle_right = 0) ],
    try [ move to (8, 8), not points at opponent's rook, assign (opponent's may_castle_left = 0) ].

castling = assert (may_castle_left || may_castle_right),
    find own king,
    either [ assert (may_castle_left), west ] or [ assert (may_castle_right), east ],
    test [
        do step while points at empty field,
        points at own rook,
        assert (column == 1 || column == 8),
    ],
    test repeat 3 times [ safe, step ],
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
    or [ orthogonal, look, either points at opponent's rook or points at opponent's queen ].

# To the first field that is not empty.
look = do step while points at empty field.
