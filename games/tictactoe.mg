# title: Tic-tac-toe
# family: rows
# origin: ancient; this form since the 19th century, also called noughts and crosses
# rules: White and black take turns to put a mark on an empty field. Three marks in a row, in any of the
#   eight directions, win. A full board without such a row is a draw.
# not covered: nothing
# checked: 549,946 nodes in the whole tree, 255,168 games, 5,478 positions

dimensions (3, 3)
sides = 1

pieces
{
    mark 'X' 'O'
}

finished
{
    three_in_a_row, win.
}

setup
{
    ...
    ...
    ...
    white to move
}

main = try new_mark else draw.

new_mark = irreversible,
    find empty field,
    replace by mark,
    try [ three_in_a_row, win ].

three_in_a_row = test [
        find own mark,
        any direction,
        repeat 2 times [ step, points at own mark ],
    ].

# perft: 9, 72, 504, 3024, 15120
