# title: Double-blank puzzle
# family: puzzle
# origin: a variant of the 15-puzzle in the literature on heuristic search
# rules: Fourteen tiles lie on a board of sixteen fields: the 15-puzzle without its last tile. A tile next to an
#   empty field slides there. The puzzle is solved when the tiles follow in order and the empty fields are in
#   the upper left and the lower right corner.
# not covered: nothing
# checked: states by distance from the solved one against a second implementation in the tests

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
    CDE.
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
        tile_12, tile_13, tile_14, empty field).

# perft: 4, 20, 108, 620, 3692
