# title: Breakthrough
# family: race
# origin: Dan Troyka, 2000
# rules: A pawn moves one field straight or diagonally forward to an empty field, and captures diagonally only. The
#   player who first brings a pawn to the last row, or captures all pawns, wins.
# not covered: nothing
# checked: perft 1-5 (Fairy-Stockfish, OpenSpiel): 22, 484, 11132, 256036, 6182818

dimensions (8, 8)

pieces
{
    pawn 'P' 'p'
}

tables
{
    advance = 0, 12, 0, 2, 6, 14, 30, 70, 0
    free = 0, 0, 0, 4, 12, 40, 120, 300, 0
}

evaluation
{
    material : 100 = find own pawn.
    progress : advance[row] = find own pawn.
    # No piece stands before it or beside its way.
    runner : free[row] = find own pawn, not [ ahead, points at opponent's pawn ].
    guarded : 6 = find own pawn, either southwest or southeast, step, points at own pawn.
    attacked : -10 = find own pawn, assert (row > 3), either northwest or northeast, step, points at opponent's pawn.
}

finished
{
    either [ find own pawn, assert (row == 8) ] or not find opponent's pawn, win.
}

setup
{
    pppppppp
    pppppppp
    ........
    ........
    ........
    ........
    PPPPPPPP
    PPPPPPPP
    white to move
}

main = try advance else loss.

advance = irreversible,
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, not points at own pawn ],
    put down,
    try [ either assert (row == 8) or not find opponent's pawn, win ].

ahead = either [ north, distance ] or [ either northwest or northeast, distance ]
    or [ either northwest or northeast, step, north, distance ].

distance = either step or repeat 2 times step or repeat 3 times step or repeat 4 times step or repeat 5 times step.

# perft: 22, 484, 11132
