# Domineering on 3x3 fields; the rules are those of games/domineering.mg, without an evaluation.

dimensions (3, 3)
sides = 1

pieces
{
    half 'V' 'H'
}

setup
{
    ...
    ...
    ...
    white to move
}

main = try place else loss.

place = irreversible,
    find empty field,
    replace by half,
    either [ white to move, north ] or [ black to move, east ],
    step,
    points at empty field,
    replace by half.

# perft: 6, 20, 40, 8, 0
