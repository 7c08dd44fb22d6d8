# Domineering on 7x7 fields; the rules are those of games/domineering.mg, without an evaluation.

dimensions (7, 7)
sides = 1

pieces
{
    half 'V' 'H'
}

setup
{
    .......
    .......
    .......
    .......
    .......
    .......
    .......
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

# perft: 42, 1620
