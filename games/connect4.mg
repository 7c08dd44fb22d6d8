# title: Connect-4
# family: rows
# origin: Howard Wexler and Ned Strongin, 1974
# rules: White and black take turns to drop a mark into one of seven columns, where it falls on the lowest
#   empty field. Four marks in a row, in any direction, win. A full board without such a row is a draw.
# not covered: nothing
# checked: perft 1-10 (several independent programs): 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572,
#   268031646

dimensions (7, 6)
sides = 1

pieces
{
    mark 'X' 'O'
}

tables
{
    central = 0, 0, 1, 3, 6, 3, 1, 0
}

evaluation
{
    centre : central[column] = find own mark.
    # Where a mark would win; best for the first player in odd rows, for the second in even ones.
    threats : 24 = find empty field, winning.
    lasting : 30 = either [ white to move, find empty field, assert (row % 2 == 1) ]
        or [ black to move, find empty field, assert (row % 2 == 0) ],
        winning.
    pairs : 2 = find own mark, any direction, step, points at own mark, step, points at empty field.
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
    .......
    .......
    .......
    .......
    .......
    .......
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

winning = test [ replace by mark, four_in_a_row ].

# perft: 7, 49, 343, 2401, 16807
