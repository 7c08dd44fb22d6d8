# title: NAME
# rules: Players take turns to put a stone on an empty field. Three in a row win; a full board is a draw.

dimensions (4, 4)
sides = 1  # both players see the board from the same side

pieces
{
    stone 'X' 'O'  # the characters for white and for black
}

setup
{
    ....
    ....
    ....
    ....
}

# `main` yields every legal move: each empty field, with a stone of the player to move on it.
main = try [ find empty field, replace by stone, try [ three, win ] ] else draw.

# From the new stone: one step back at most, then three in one direction.
three = test [
        any direction,
        either nothing or step backward,
        points at own stone,
        repeat 2 times [ step, points at own stone ],
    ].

# What follows is checked by `multigame test`.
# perft: 16, 240, 3360
# after: a1, a2, b1, b2, c1
# standing: white wins
