# Towers of Hanoi with four pegs, the Reve's puzzle; the rules are those of games/hanoi.mg.

players = 1
dimensions (4, 8)

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

setup
{
    1...
    2...
    3...
    4...
    5...
    6...
    7...
    8...
}

main = find any piece,
    not smaller_above,
    pick up,
    either [ east, repeat 1 .. 3 times step ] or [ west, repeat 1 .. 3 times step ],
    not smaller_above,
    put down,
    try [ not [ find any piece, assert (column < 4) ], win ].

smaller_above = north, do step while points at empty field, points at any piece.

# perft: 3, 15, 75, 393, 2109, 11487
