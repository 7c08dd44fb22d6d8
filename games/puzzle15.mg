# title: 15-puzzle
# family: puzzle
# origin: Noyes Chapman, about 1874
# rules: Fifteen tiles lie on a board of sixteen fields. A tile next to the empty field slides there. The
#   puzzle is solved when the empty field is in the upper left corner and the tiles follow in order.
# not covered: nothing
# checked: states by distance from the solved one (OEIS A089484): 1, 2, 4, 10, 24, 54, 107, 212, 446, 946, …

players = 1
dimensions (4, 4)

pieces
{
    tile_1 '1'
    tile_2 '2'
    tile_3 '3'
    tile_4 '4'
    tile_5 '5'
    tile_6 '6'
    tile_7 '7'
    tile_8 '8'
    tile_9 '9'
    tile_10 'A'
    tile_11 'B'
    tile_12 'C'
    tile_13 'D'
    tile_14 'E'
    tile_15 'F'
}

notation
{
    tiles
}

setup
{
    .123
    4567
    89AB
    CDEF
}

main = slide, try [ solved, win ].

slide = find empty field,
    either north or west or east or south,
    step,
    pick up,
    step backward,
    put down.

solved = match (empty field, tile_1, tile_2, tile_3,
        tile_4, tile_5, tile_6, tile_7,
        tile_8, tile_9, tile_10, tile_11,
        tile_12, tile_13, tile_14, tile_15).

# perft: 2, 6, 18, 58, 186, 602
