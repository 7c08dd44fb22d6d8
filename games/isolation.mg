# title: Isolation
# family: territory
# origin: Bernd Kienitz, 1972
# rules: A pawn moves to a neighbouring free field in any direction; then its player takes away any free field but the
#   two where the pawns began. A player who cannot move loses.
# not covered: nothing
# checked: perft 1-2 (Fairy-Stockfish): 225, 47300

dimensions (6, 8)
sides = 1

pieces
{
    pawn 'P' 'p'
    neutral gone '*'
}

setup
{
    ...p..
    ......
    ......
    ......
    ......
    ......
    ......
    ..P...
    white to move
}

main = try [
        irreversible,
        find own pawn,
        pick up,
        any direction,
        step,
        points at empty field,
        put down,
        find empty field,
        not assert (column == 3 && row == 1 || column == 4 && row == 8),
        replace by gone,
    ] else loss.

# perft: 225
