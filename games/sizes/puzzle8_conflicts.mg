# The 8-puzzle with an estimate; the rules are those of games/puzzle8.mg. The evaluation is a lower bound of
# the moves that are left: distances, conflicts in rows and columns (O. Hansson and others, 1992), corners and the
# last move (R. E. Korf and L. A. Taylor, 1996).

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

properties
{
    # Where a tile belongs.
    home_column, home_row : move : [0 .. 3]
    # Of a line: its own tiles that are in it, and how many of those that belong up to a place can stay, being in order.
    tiles, order_1, order_2, order_3 : move : [0 .. 3]
}

tables
{
    apart = 2, 1, 0, 1, 2
}

evaluation
{
    # Every tile goes home.
    distance : apart[column - home_column + 2] + apart[row - home_row + 2] = going_home.
    # Tiles of a line that are in it, but not in order, pass each other outside of it: two moves for each that leaves.
    conflicts : 2 * tiles = conflict.
    # The last tile to move comes out of the upper left corner: two moves more if neither that can be it goes there.
    last : 2 = last_move.
    # A tile at home beside a corner with a wrong tile makes room, or else the wrong one never gets out.
    corners : 2 = corner.
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

going_home = either [ find tile_1, assign (home_column = 2, home_row = 3) ]
    or [ find tile_2, assign (home_column = 3, home_row = 3) ]
    or [ find tile_3, assign (home_column = 1, home_row = 2) ]
    or [ find tile_4, assign (home_column = 2, home_row = 2) ]
    or [ find tile_5, assign (home_column = 3, home_row = 2) ]
    or [ find tile_6, assign (home_column = 1, home_row = 1) ]
    or [ find tile_7, assign (home_column = 2, home_row = 1) ]
    or [ find tile_8, assign (home_column = 3, home_row = 1) ].

# A tile of the line, by where it belongs in it.
belongs_1 = assign (tiles++),
    assign (order_3 = order_3 > 1 ? order_3 : 1),
    assign (order_2 = order_2 > 1 ? order_2 : 1),
    assign (order_1 = order_1 > 1 ? order_1 : 1).

belongs_2 = assign (tiles++),
    assign (order_3 = order_3 > (order_1 + 1) ? order_3 : (order_1 + 1)),
    assign (order_2 = order_2 > (order_1 + 1) ? order_2 : (order_1 + 1)).

belongs_3 = assign (tiles++),
    assign (order_3 = order_3 > (order_2 + 1) ? order_3 : (order_2 + 1)).

row_3_tile = try [ either [ points at tile_1, belongs_2 ]
        or [ points at tile_2, belongs_3 ] ].

row_3 = move to (1, 3), east, row_3_tile, repeat 2 times [ step, row_3_tile ].

row_2_tile = try [ either [ points at tile_3, belongs_1 ]
        or [ points at tile_4, belongs_2 ]
        or [ points at tile_5, belongs_3 ] ].

row_2 = move to (1, 2), east, row_2_tile, repeat 2 times [ step, row_2_tile ].

row_1_tile = try [ either [ points at tile_6, belongs_1 ]
        or [ points at tile_7, belongs_2 ]
        or [ points at tile_8, belongs_3 ] ].

row_1 = move to (1, 1), east, row_1_tile, repeat 2 times [ step, row_1_tile ].

column_1_tile = try [ either [ points at tile_3, belongs_2 ]
        or [ points at tile_6, belongs_3 ] ].

column_1 = move to (1, 3), south, column_1_tile, repeat 2 times [ step, column_1_tile ].

column_2_tile = try [ either [ points at tile_1, belongs_1 ]
        or [ points at tile_4, belongs_2 ]
        or [ points at tile_7, belongs_3 ] ].

column_2 = move to (2, 3), south, column_2_tile, repeat 2 times [ step, column_2_tile ].

column_3_tile = try [ either [ points at tile_2, belongs_1 ]
        or [ points at tile_5, belongs_2 ]
        or [ points at tile_8, belongs_3 ] ].

column_3 = move to (3, 3), south, column_3_tile, repeat 2 times [ step, column_3_tile ].

conflict = either row_3 or row_2 or row_1 or column_1 or column_2 or column_3,
    assign (tiles -= order_3),
    assert (tiles > 0).

# A line without conflicts.
calm = assert (tiles == order_3).

last_move = not solved, free_1, free_3.

free_1 = test [ find tile_1, either assert (column > 2) or [ assert (column == 2), column_2, calm ] ].

free_3 = test [ find tile_3, either assert (row < 2) or [ assert (row == 2), row_2, calm ] ].

beside_5 = find tile_5,
    assert (column == 3 && row == 2),
    test [ either [ move to (3, 3), not points at tile_2, not points at empty field ]
        or [ move to (3, 1), not points at tile_8, not points at empty field ] ],
    test [ row_2, calm ],
    test [ column_3, calm ].

beside_7 = find tile_7,
    assert (column == 2 && row == 1),
    test [ either [ move to (1, 1), not points at tile_6, not points at empty field ]
        or [ move to (3, 1), not points at tile_8, not points at empty field ] ],
    test [ row_1, calm ],
    test [ column_2, calm ].

corner = either beside_5 or beside_7.

# perft: 2, 6, 16, 48, 128, 384
