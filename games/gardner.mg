# title: Gardner minichess
# family: chess
# origin: Martin Gardner, 1969
# rules: Chess on a board of five by five fields with one of each pair of pieces. Pawns go one field at a time,
#   and there is neither castling nor capture en passant. It is known to be a draw (Mhalla and Prost, 2013).
# not covered: draws by insufficient material, by agreement and on claim
# checked: perft 1-4: 7, 53, 506, 4775 (Fairy-Stockfish); positions against it

dimensions (5, 5)

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
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 101] silent below 80
    # Two fields of the notation of chess that are always empty here.
    none : board : [0 .. 1]
}

tables
{
    progress = 0, 0, 0, 25, 110, 0
}

evaluation
{
    pawns : 90 + progress[row] = find own pawn.
    knights : 300 = find own knight.
    bishops : 320 = find own bishop.
    rooks : 480 = find own rook.
    queens : 900 = find own queen.
    knight_reach : 5 = find own knight, knight_jump, reach.
    bishop_reach : 4 = find own bishop, diagonal, slide, reach.
    rook_reach : 3 = find own rook, orthogonal, slide, reach.
    queen_reach : 1 = find own queen, any direction, slide, reach.
    knight_attack : 9 = find own knight, knight_jump, near_king.
    bishop_attack : 9 = find own bishop, diagonal, slide, near_king.
    rook_attack : 9 = find own rook, orthogonal, slide, near_king.
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
    flags 'K' none
    square (none, 1)
    number halfmoves
    counter
}

repetition draw after 3

possible
{
    "each side must have one king" = assert (number of white king == 1 && number of black king == 1).
    "no pawn can stand on the first or the last row" = not [ find pawn, assert (row == 1 || row == 5) ].
    "the player to move must not be able to take the king" = not [ find own king, attacked ].
}

setup
{
    rnbqk
    ppppp
    .....
    PPPPP
    RNBQK
    white to move
}

main = try [ assert (halfmoves < 100), legal_move ] else try mated else draw.

mated = test [ find own king, attacked ], not legal_move, loss.

legal_move = either pawn_move or piece_move, not [ find own king, attacked ].

pawn_move = irreversible,
    assign (halfmoves = 0),
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, points at opponent's piece ],
    put down,
    try [ assert (row == 5), either [ replace by queen, forcing ] or replace by knight or replace by rook or replace by bishop ].

piece_move = assign (halfmoves++),
    either
    [ find own knight, pick up, knight_jump ]
    or [ find own bishop, pick up, diagonal, slide ]
    or [ find own rook, pick up, orthogonal, slide ]
    or [ find own queen, pick up, any direction, slide ]
    or [ find own king, pick up, any direction, step ],
    not points at own piece,
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0) ],
    put down.

knight_jump = orthogonal, step, either turn 45 or turn -45, step.

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

# To the first field that is not empty.
look = do step while points at empty field.

attacked = test either
    [ either northwest or northeast, step, points at opponent's pawn ]
    or [ knight_jump, points at opponent's knight ]
    or [ diagonal, look, either points at opponent's bishop or points at opponent's queen ]
    or [ orthogonal, look, either points at opponent's rook or points at opponent's queen ]
    or [ any direction, step, points at opponent's king ].

# ---- evaluation

# A field that no pawn of the opponent guards.
reach = not points at own piece, not [ either northwest or northeast, step, points at opponent's pawn ].

near_king = test [ any direction, step, points at opponent's king ].

# perft: 7, 53, 506, 4775
