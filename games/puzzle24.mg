# title: 24-puzzle
# family: puzzle
# origin: after the 15-puzzle of Noyes Chapman, about 1874
# rules: Twenty-four tiles lie on a board of twenty-five fields. A tile next to the empty field slides there. The
#   puzzle is solved when the empty field is in the upper left corner and the tiles follow in order.
# not covered: nothing
# checked: states by distance from the solved one: 1, 2, 4, 10, 26, 64, 159, 366, 862, 1904, 4538, 10238, 24098,
#   53186, 123435

players = 1
dimensions (5, 5)

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
    tile_16 'G'
    tile_17 'H'
    tile_18 'I'
    tile_19 'J'
    tile_20 'K'
    tile_21 'L'
    tile_22 'M'
    tile_23 'N'
    tile_24 'O'
}

notation
{
    tiles
}

setup
{
    .1234
    56789
    ABCDE
    FGHIJ
    KLMNO
}

main = slide, try [ solved, win ].

slide = find empty field,
    either north or west or east or south,
    step,
    pick up,
    step backward,
    put down.

solved = match (empty field, tile_1, tile_2, tile_3, tile_4,
        tile_5, tile_6, tile_7, tile_8, tile_9,
        tile_10, tile_11, tile_12, tile_13, tile_14,
        tile_15, tile_16, tile_17, tile_18, tile_19,
        tile_20, tile_21, tile_22, tile_23, tile_24).

# perft: 2, 6, 18, 60, 198, 684
