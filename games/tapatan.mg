# title: Tapatan
# family: rows
# board: 9 points joined by lines
# origin: Philippines; three men's morris on a board with diagonals
# rules: Each player first puts three men on the nine points, one a turn; then a man moves along a line to an empty
#   neighbouring point: rows, columns and the two long diagonals are lines. Three men on a line win; a player who cannot
#   move loses.
# not covered: nothing
# checked: random games against a second implementation in the tests

dimensions (3, 3)
sides = 1

pieces
{
    man 'X' 'O'
}

properties
{
    reserve : player : [0 .. 3]
}

finished
{
    find own man, three_in_a_row, win.
}

setup
{
    ...
    ...
    ...
    white to move
    white reserve = 3
    black reserve = 3
}

main = try [ either put or go, try [ three_in_a_row, win ] ] else loss.

put = assert (reserve), irreversible, find empty field, replace by man, assign (reserve--).

# The middles of the edges do not lie on a diagonal.
go = assert (!reserve),
    find own man,
    pick up,
    either orthogonal or [ assert ((column + row) % 2 == 0), diagonal ],
    step,
    points at empty field,
    put down.

three_in_a_row = test [
        any direction,
        optionally [ step, points at own man ],
        repeat 2 times [ step backward, points at own man ],
    ].

# perft: 9, 72, 504, 3024, 15120
