# title: Qubic
# family: rows
# board: a cube of 4x4x4 fields, drawn as four layers
# origin: Parker Brothers, 1953; four in a row on a cube
# rules: White and black take turns to put a mark on an empty field of a cube of four by four by four fields, drawn
#   as four layers side by side. Four marks in a row, through the layers and diagonally too, win. A full cube
#   without such a row is a draw.
# not covered: nothing
# checked: perft 1-3: 64, 4032, 249984; games to the end against a second implementation in the tests

dimensions (19, 4)
sides = 1

pieces
{
    mark 'X' 'O'
}

properties
{
    # The new mark within its layer, and its layer.
    x, y, z : move : [0 .. 3]
    # For each of the three: 0 stays, 1 grows along the row, 2 shrinks.
    dx, dy, dz : move : [0 .. 2]
    step_number : move : [0 .. 4]
}

finished
{
    find own mark, four_in_a_row, win.
}

setup
{
    .... .... .... ....
    .... .... .... ....
    .... .... .... ....
    .... .... .... ....
    white to move
}

main = try new_mark else draw.

new_mark = irreversible,
    find empty field,
    replace by mark,
    try [ four_in_a_row, win ].

four_in_a_row = test [
        assign (x = (column - 1) % 5, y = row - 1, z = (column - 1) / 5),
        either assign (dx = 1) or nothing,
        repeat 0 .. 2 times assign (dy++),
        repeat 0 .. 2 times assign (dz++),
        new_mark_in_row,
        repeat 4 times [
            move to (5 * (dz == 0 ? z : dz == 1 ? step_number : 3 - step_number)
                + (dx == 0 ? x : step_number) + 1,
                (dy == 0 ? y : dy == 1 ? step_number : 3 - step_number) + 1),
            points at own mark,
            assign (step_number++),
        ],
    ].

# The first coordinate that changes grows; the others must keep step with it.
new_mark_in_row = assert (dx ? (dy == 0 || (dy == 1 ? y : 3 - y) == x) && (dz == 0 || (dz == 1 ? z : 3 - z) == x)
        : dy ? dy == 1 && (dz == 0 || (dz == 1 ? z : 3 - z) == y)
        : dz == 1).

# perft: 64, 4032
