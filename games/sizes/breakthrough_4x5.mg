# Breakthrough on 4x5 fields; the rules are those of games/breakthrough.mg, without an evaluation.

dimensions (4, 5)

pieces
{
    pawn 'P' 'p'
}

setup
{
    pppp
    pppp
    ....
    PPPP
    PPPP
    white to move
}

main = try advance else loss.

advance = irreversible,
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, not points at own pawn ],
    put down,
    try [ either assert (row == 5) or not find opponent's pawn, win ].

# perft: 10, 90, 848, 7794
