# title: Shatranj
# family: chess
# origin: Persia and Arabia, 7th century
# rules: The chess of the Middle Ages: the ferz moves one field diagonally, the alfil jumps to the second, king,
#   rook and knight move as today, pawns go one field at a time and become a ferz. Mate and stalemate win; so does
#   it to capture all but the king, unless the opponent can do the same at once, which is a draw. Seventy moves of
#   both players without a capture or a pawn move are a draw too.
# not covered: nothing
# checked: perft 1-4: 16, 256, 4176, 68122 (Fairy-Stockfish); positions against it

dimensions (8, 8)

pieces
{
    pawn 'P' 'p'
    knight 'N' 'n'
    alfil 'B' 'b'
    ferz 'Q' 'q'
    rook 'R' 'r'
    king 'K' 'k'
}

properties
{
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 140] silent below 120
    # Two fields of the notation of chess that are always empty here.
    none : board : [0 .. 1]
}

tables
{
    progress = 0, 0, 0, 3, 8, 15, 30, 55, 0
}

evaluation
{
    pawns : 90 + progress[row] = find own pawn.
    knights : 300 = find own knight.
    alfils : 110 = find own alfil.
    ferzs : 150 = find own ferz.
    rooks : 480 = find own rook.
    knight_reach : 5 = find own knight, knight_jump, reach.
    alfil_reach : 4 = find own alfil, diagonal, repeat 2 times step, reach.
    ferz_reach : 5 = find own ferz, diagonal, step, reach.
    rook_reach : 3 = find own rook, orthogonal, slide, reach.
    knight_attack : 9 = find own knight, knight_jump, near_king.
    alfil_attack : 9 = find own alfil, diagonal, repeat 2 times step, near_king.
    ferz_attack : 9 = find own ferz, diagonal, step, near_king.
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
    "no pawn can stand on the first or the last row" = not [ find pawn, assert (row == 1 || row == 8) ].
    "the player to move must not be able to take the king" = not [ find own king, attacked ].
}

finished
{
    bare_kings.
}

setup
{
    rnbkqbnr
    pppppppp
    ........
    ........
    ........
    ........
    PPPPPPPP
    RNBKQBNR
    white to move
}

main = try [ assert (halfmoves == 140), draw ]
    else try [ legal_move, try bare_kings ]
    else loss.

# A bare king must bare the other in his next move, if that has but one piece left.
bare_kings = try [ assert (number of own piece == 1), try [ assert (number of opponent's piece == 1), draw ] else loss ]
    else [ assert (number of opponent's piece == 1 && number of own piece > 2), win ].

legal_move = either pawn_move or piece_move, not [ find own king, attacked ].

pawn_move = irreversible,
    assign (halfmoves = 0),
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, points at opponent's piece ],
    put down,
    try [ assert (row == 8), replace by ferz ].

piece_move = assign (halfmoves++),
    either
    [ find own knight, pick up, knight_jump ]
    or [ find own alfil, pick up, diagonal, repeat 2 times step ]
    or [ find own ferz, pick up, diagonal, step ]
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
    or [ diagonal, repeat 2 times step, points at opponent's alfil ]
    or [ diagonal, step, points at opponent's ferz ]
    or [ orthogonal, do step while points at empty field, points at opponent's rook ]
    or [ any direction, step, points at opponent's king ].

# ---- evaluation

# A field that no pawn of the opponent guards.
reach = not points at own piece, not [ either northwest or northeast, step, points at opponent's pawn ].

near_king = test [ any direction, step, points at opponent's king ].

# perft: 16, 256, 4176
