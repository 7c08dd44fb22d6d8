# Domineering on 5x5 fields; the rules are those of games/domineering.mg, without an evaluation.

dimensions (5, 5)
sides = 1

pieces
{
    half 'V' 'H'
}

setup
{
    .....
    .....
    .....
    .....
    .....
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

# perft: 20, 336, 4872
