# Breakthrough on 5x4 fields; the rules are those of games/breakthrough.mg, without an evaluation.

dimensions (5, 4)

pieces
{
    pawn 'P' 'p'
}

setup
{
    ppppp
    ppppp
    PPPPP
    PPPPP
    white to move
}

main = try advance else loss.

advance = irreversible,
    find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, not points at own pawn ],
    put down,
    try [ either assert (row == 4) or not find opponent's pawn, win ].

# perft: 8, 72, 732, 6414
