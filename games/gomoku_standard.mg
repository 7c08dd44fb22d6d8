# title: Standard gomoku
# family: rows
# origin: Japan, before 1850; the form in which more than five do not count
# rules: White and black take turns to put a stone on an empty field. Exactly five stones in a row, in any
#   direction, win; six or more do not. A full board without such a row is a draw.
# not covered: opening rules (swap) and the fouls of renju
# checked: perft 1-3: 225, 50400, 11239200; games to the end against a second implementation in the tests

dimensions (15, 15)
sides = 1

pieces
{
    stone 'X' 'O'
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

# The new stone is the first, second or third of the five, seen from one of the two ends; beyond them is no other.
five_in_a_row = test [
        any direction,
        repeat 0 .. 2 times [ step, points at own stone ],
        not [ step, points at own stone ],
        repeat 4 times [ step backward, points at own stone ],
        not [ step backward, points at own stone ],
    ].

# perft: 225
