# title: Chess960
# family: chess
# origin: Bobby Fischer, 1996; also called Fischer random chess
# rules: Chess from one of 960 arrangements of the pieces on the first row, the same for both players: the king between
#   the rooks, the bishops on fields of different colour. Castling leads king and rook to the fields where they stand
#   after castling in chess; all fields on their ways must be free but for the two themselves, and the king must not
#   start, pass or end on an attacked field. All else is as in chess.
# not covered: drawing lots for the arrangement (there are three setups, and any position can be given); draws by
#   insufficient material, by agreement and on claim
# checked: 54 positions, to depth 4, of the table in the Chess Programming Wiki, "Chess960 Perft Results" (as in
#   python-chess, examples/perft/chess960.perft); perft 1-3 of the arrangement here (python-chess): 18, 324, 6680

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
    # The columns, as their player sees them, of the rooks that may still castle; 0 for none.
    left_rook, right_rook : player : [0 .. 8]
    # The column, as the player to move sees it, behind a pawn that may be captured en passant; 0 for none.
    en_passant : board : [0 .. 8]
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 100] silent below 80
    # Columns while castling.
    king_from, king_to, rook_from, rook_to : move : [0 .. 8]
}

notation
{
    rooks (left_rook, right_rook, rook, king)
    square (en_passant, 6)
    number halfmoves
    counter
}

repetition draw after 3

# Number 341 of the usual list.
setup
{
    nrbbkqrn
    pppppppp
    ........
    ........
    ........
    ........
    PPPPPPPP
    NRBBKQRN
    white to move
    white left_rook = 2
    white right_rook = 7
    black left_rook = 2
    black right_rook = 7
}

# Number 921, the king next to the corner: castling to the left moves it to the right.
setup corner
{
    rkrbbqnn
    pppppppp
    ........
    ........
    ........
    ........
    PPPPPPPP
    RKRBBQNN
    white to move
    white left_rook = 1
    white right_rook = 3
    black left_rook = 6
    black right_rook = 8
}

# The arrangement of chess, number 518.
setup chess
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
    white left_rook = 1
    white right_rook = 8
    black left_rook = 1
    black right_rook = 8
}

main = try [ assert (halfmoves < 100), legal_move ] else try mated else draw.

mated = test [ find own king, attacked ],
    # The counter may be at its end already.
    not [ assign (halfmoves = 0), legal_move ],
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
    try [ assert (row == 1 && column == left_rook), irreversible, assign (left_rook = 0) ],
    try [ assert (row == 1 && column == right_rook), irreversible, assign (right_rook = 0) ],
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
        assert (left_rook || right_rook),
        irreversible,
        assign (left_rook = right_rook = 0),
    ].

# A rook that is captured at home cannot castle any more; the opponent sees the board the other way round.
rook_loses_castling = try [
        assert (row == 8),
        try [ assert (9 - column == opponent's left_rook), assign (opponent's left_rook = 0) ],
        try [ assert (9 - column == opponent's right_rook), assign (opponent's right_rook = 0) ],
    ].

castling = assert (left_rook || right_rook),
    find own king,
    either [ assert (left_rook), assign (rook_from = left_rook), left_goals ]
    or [ assert (right_rook), assign (rook_from = right_rook), right_goals ],
    assign (king_from = column),
    not [ find any piece, assert (column != king_from && column != rook_from), on_the_way ],
    not [ find any field, on_the_way_of_the_king, attacked ],
    king_loses_castling,
    pick up,
    move to (rook_from, 1),
    replace by empty field,
    move to (king_to, 1),
    put down,
    move to (rook_to, 1),
    replace by rook,
    assign (king_from = king_to = rook_from = rook_to = 0).

# Where king and rook go: to columns c and d, or g and f, which black sees the other way round.
left_goals = try [ white to move, assign (king_to = 3, rook_to = 4) ] else assign (king_to = 2, rook_to = 3).

right_goals = try [ white to move, assign (king_to = 7, rook_to = 6) ] else assign (king_to = 6, rook_to = 5).

on_the_way_of_the_king = assert (row == 1 && (column - king_from) * (column - king_to) <= 0).

on_the_way = assert (row == 1
        && ((column - king_from) * (column - king_to) <= 0 || (column - rook_from) * (column - rook_to) <= 0)).

# ---- attacks on the finger's field

attacked = test either
    [ either northwest or northeast, step, points at opponent's pawn ]
    or [ knight_jump, points at opponent's knight ]
    or [ diagonal, look, either points at opponent's bishop or points at opponent's queen ]
    or [ orthogonal, look, either points at opponent's rook or points at opponent's queen ]
    or [ any direction, step, points at opponent's king ].

# To the first field that is not empty.
look = do step while points at empty field.
