# title: Makruk
# family: chess
# origin: Thailand; Thai chess
# rules: Chess with its old pieces: the met moves one field diagonally, the khon also one straight forward, king, rook
#   and knight move as in chess. Pawns start on the third row, go one field at a time and become a met on the sixth.
#   Mate wins, stalemate is a draw; so are sixty-four moves of both players without a capture when no pawn is left.
# not covered: counting, and the shorter counts against a bare king, which can end a game sooner
# checked: perft 1-4: 23, 529, 12012, 273026 (Fairy-Stockfish); positions against it

dimensions (8, 8)

pieces
{
    pawn 'P' 'p'
    knight 'N' 'n'
    khon 'S' 's'
    met 'M' 'm'
    rook 'R' 'r'
    king 'K' 'k'
}

properties
{
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 129] silent below 100
    # Two fields of the notation of chess that are always empty here.
    none : board : [0 .. 1]
}

tables
{
    progress = 0, 0, 0, 5, 15, 30, 0, 0, 0
}

evaluation
{
    pawns : 90 + progress[row] = find own pawn.
    knights : 300 = find own knight.
    khons : 250 = find own khon.
    mets : 160 = find own met.
    rooks : 480 = find own rook.
    knight_reach : 5 = find own knight, knight_jump, reach.
    khon_reach : 5 = find own khon, either diagonal or north, step, reach.
    met_reach : 5 = find own met, diagonal, step, reach.
    rook_reach : 3 = find own rook, orthogonal, slide, reach.
    knight_attack : 9 = find own knight, knight_jump, near_king.
    khon_attack : 9 = find own khon, either diagonal or north, step, near_king.
    met_attack : 9 = find own met, diagonal, step, near_king.
    rook_attack : 9 = find own rook, orthogonal, slide, near_king.
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
    "pawns must be behind the row where they are promoted" = not [ find own pawn, assert (row < 3 || row > 5) ],
        not [ find opponent's pawn, assert (row < 4 || row > 6) ].
    "the player to move must not be able to take the king" = not [ find own king, attacked ].
}

setup
{
    rnsmksnr
    ........
    pppppppp
    ........
    ........
    PPPPPPPP
    ........
    RNSKMSNR
    white to move
}

main = try [ assert (halfmoves < 128), legal_move ] else try mated else draw.

mated = test [ find own king, attacked ], not legal_move, loss.

legal_move = either pawn_move or piece_move, not [ find own king, attacked ].

pawn_move = irreversible,
    assign (halfmoves = 0),
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, points at opponent's piece ],
    put down,
    try [ assert (row == 6), replace by met ].

# Moves are counted when the last pawn has gone.
piece_move = try [ not find pawn, assign (halfmoves++) ],
    either
    [ find own knight, pick up, knight_jump ]
    or [ find own khon, pick up, either diagonal or north, step ]
    or [ find own met, pick up, diagonal, step ]
    or [ find own rook, pick up, orthogonal, slide ]
    or [ find own king, pick up, any direction, step ],
    not points at own piece,
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0) ],
    put down.

knight_jump = orthogonal, step, either turn 45 or turn -45, step.

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

attacked = test either
    [ either northwest or northeast, step, points at opponent's pawn ]
    or [ knight_jump, points at opponent's knight ]
    or [ either diagonal or north, step, points at opponent's khon ]
    or [ diagonal, step, points at opponent's met ]
    or [ orthogonal, do step while points at empty field, points at opponent's rook ]
    or [ any direction, step, points at opponent's king ].

# ---- evaluation

# A field that no pawn of the opponent guards.
reach = not points at own piece, not [ either northwest or northeast, step, points at opponent's pawn ].

near_king = test [ any direction, step, points at opponent's king ].

# perft: 23, 529, 12012
