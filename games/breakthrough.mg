# title: Breakthrough
# family: race
# origin: Dan Troyka, 2000
# rules: A pawn moves one field straight or diagonally forward to an empty field, and captures diagonally only. Who
#   first brings a pawn to the last row, or captures all pawns, wins.
# not covered: nothing
# checked: perft 1-5 (Fairy-Stockfish, OpenSpiel): 22, 484, 11132, 256036, 6182818

dimensions (8, 8)

pieces
{
    pawn 'P' 'p'
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
