# title: Towers of Hanoi
# family: puzzle
# origin: Édouard Lucas, 1883
# rules: Eight discs of different size lie on three pegs, at first all on the left one. A disc moves to another peg
#   if no smaller disc lies on it and none lies on the other peg. The puzzle is solved when all discs are on the
#   right peg.
# not covered: nothing
# checked: 3^8 = 6,561 states; the right peg is first complete after 2^8 - 1 = 255 moves

players = 1
dimensions (3, 8)

pieces
{
    disc_1 '1'
    disc_2 '2'
    disc_3 '3'
    disc_4 '4'
    disc_5 '5'
    disc_6 '6'
    disc_7 '7'
    disc_8 '8'
}

finished
{
    not [ find any piece, assert (column < 3) ], win.
}

# The columns are the pegs. Every disc keeps to its own row, so what lies above it is smaller.
setup
{
    1..
    2..
    3..
    4..
    5..
    6..
    7..
    8..
}

main = find any piece,
    not smaller_above,
    pick up,
    either [ east, step ] or [ west, step ] or [ east, repeat 2 times step ] or [ west, repeat 2 times step ],
    not smaller_above,
    put down,
    try [ not [ find any piece, assert (column < 3) ], win ].

smaller_above = north, do step while points at empty field, points at any piece.

# perft: 2, 6, 16, 46, 130, 376
