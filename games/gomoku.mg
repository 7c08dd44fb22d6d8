# title: Gomoku
# family: rows
# origin: Japan, before 1850; the free form
# rules: White and black take turns to put a stone on an empty field. Five or more stones in a row, in any
#   direction, win. A full board without such a row is a draw.
# not covered: opening rules (swap) and the fouls of renju
# checked: perft 1-3: 225, 50400, 11239200; games to the end against a second implementation in the tests

dimensions (15, 15)
sides = 1

pieces
{
    stone 'X' 'O'
}

properties
{
    # Own stones in a line of five fields.
    stones : move : [0 .. 5]
}

tables
{
    line = 0, 1, 6, 40, 200, 0
    run = 0, 0, 8, 120, 900, 0
}

evaluation
{
    # From one of the mover's stones on, five fields that the opponent has not touched.
    lines : line[stones] = find own stone,
        any direction,
        assign (stones = 1),
        repeat 4 times [ step, not points at opponent's stone, try [ points at own stone, assign (stones++) ] ].
    # Stones side by side with an empty field at both ends.
    open_lines : run[stones] = find own stone,
        either north or northeast or east or southeast,
        test [ step backward, points at empty field ],
        assign (stones = 1),
        while [ step, points at own stone ] do assign (stones++),
        step,
        points at empty field.
}

finished
{
    find own stone, five_in_a_row, win.
}

setup
{
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    white to move
}

main = try new_stone else draw.

new_stone = irreversible,
    find empty field,
    replace by stone,
    try [ five_in_a_row, win ].

# The new stone is the first, second or third of the five, seen from one of the two ends.
five_in_a_row = test [
        any direction,
        repeat 0 .. 2 times [ step, points at own stone ],
        repeat 4 times [ step backward, points at own stone ],
    ].

# perft: 225
