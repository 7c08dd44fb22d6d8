# title: Clobber
# family: capture and chase
# origin: Michael H. Albert, J. P. Grossman and Richard J. Nowakowski, 2001
# rules: A stone moves to an orthogonal neighbour that is occupied by the opponent, and takes that stone off. A
#   player who cannot move loses.
# not covered: nothing
# checked: perft 1-4 (Fairy-Stockfish): 49, 2116, 80063, 2630382

dimensions (5, 6)
sides = 1

pieces
{
    stone 'O' 'X'
}

setup
{
    OXOXO
    XOXOX
    OXOXO
    XOXOX
    OXOXO
    XOXOX
    white to move
}

main = try [
        irreversible,
        quiet,
        find own stone,
        pick up,
        orthogonal,
        step,
        points at opponent's stone,
        put down,
    ] else loss.

# perft: 49, 2116
