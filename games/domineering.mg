# title: Domineering
# family: territory
# origin: Göran Andersson, about 1973; also called Crosscram
# rules: White puts a domino on two free fields that lie one above the other, black on two that lie side by side.
#   A player who cannot do so loses.
# not covered: nothing
# checked: perft 1-4 (a separate program): 56, 2940, 146580, 6823548

dimensions (8, 8)
sides = 1

pieces
{
    half 'V' 'H'
}

setup
{
    ........
    ........
    ........
    ........
    ........
    ........
    ........
    ........
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

# perft: 56, 2940
