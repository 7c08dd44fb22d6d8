# title: Connect-4 on 8 x 7
# family: rows
# origin: a larger board of Connect-4 (Howard Wexler and Ned Strongin, 1974)
# rules: White and black take turns to drop a mark into one of eight columns, where it falls on the lowest
#   empty field. Four marks in a row, in any direction, win. A full board without such a row is a draw.
# not covered: nothing
# checked: perft against a second implementation in the tests

dimensions (8, 7)
sides = 1

pieces
{
    mark 'X' 'O'
}

possible
{
    "marks must rest on the bottom or on others" = not [ find mark, south, step, points at empty field ].
}

finished
{
    find own mark, four_in_a_row, win.
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
    white to move
}

main = try new_mark else draw.

new_mark = irreversible,
    find empty field,
    not [ south, step, points at empty field ],
    replace by mark,
    try [ four_in_a_row, win ].

four_in_a_row = test [
        any direction,
        optionally [ step, points at own mark ],
        repeat 3 times [ step backward, points at own mark ],
    ].

# perft: 8, 64, 512, 4096
