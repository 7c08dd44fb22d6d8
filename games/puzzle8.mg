# title: 8-puzzle
# family: puzzle
# origin: the smaller sister of the 15-puzzle of Noyes Chapman, about 1874
# rules: Eight tiles lie on a board of nine fields. A tile next to the empty field slides there. The
#   puzzle is solved when the empty field is in the upper left corner and the tiles follow in order.
# not covered: nothing
# checked: all 32 layers of its 181,440 states: 1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, …, 221, 2

players = 1
dimensions (3, 3)

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
}

notation
{
    tiles
}

setup
{
    .12
    345
    678
}

main = slide, try [ solved, win ].

slide = find empty field,
    either north or west or east or south,
    step,
    pick up,
    step backward,
    put down.

solved = match (empty field, tile_1, tile_2,
        tile_3, tile_4, tile_5,
        tile_6, tile_7, tile_8).

# perft: 2, 6, 16, 48, 128, 384
