# The 15-puzzle with an estimate; the rules are those of games/puzzle15.mg. The evaluation is a lower bound of
# the moves that are left: distances, conflicts in rows and columns (O. Hansson and others, 1992), corners and the
# last move (R. E. Korf and L. A. Taylor, 1996).

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

properties
{
    # Where a tile belongs.
    home_column, home_row : move : [0 .. 4]
    # Of a line: its own tiles that are in it, and how many of those that belong up to a place can stay, being in order.
    tiles, order_1, order_2, order_3, order_4 : move : [0 .. 4]
}

tables
{
    apart = 3, 2, 1, 0, 1, 2, 3
}

evaluation
{
    # Every tile goes home.
    distance : apart[column - home_column + 3] + apart[row - home_row + 3] = going_home.
    # Tiles of a line that are in it, but not in order, pass each other outside of it: two moves for each that leaves.
    conflicts : 2 * tiles = conflict.
    # The last tile to move comes out of the upper left corner: two moves more if neither that can be it goes there.
    last : 2 = last_move.
    # A tile at home beside a corner with a wrong tile makes room, or else the wrong one never gets out.
    corners : 2 = corner.
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

going_home = either [ find tile_1, assign (home_column = 2, home_row = 4) ]
    or [ find tile_2, assign (home_column = 3, home_row = 4) ]
    or [ find tile_3, assign (home_column = 4, home_row = 4) ]
    or [ find tile_4, assign (home_column = 1, home_row = 3) ]
    or [ find tile_5, assign (home_column = 2, home_row = 3) ]
    or [ find tile_6, assign (home_column = 3, home_row = 3) ]
    or [ find tile_7, assign (home_column = 4, home_row = 3) ]
    or [ find tile_8, assign (home_column = 1, home_row = 2) ]
    or [ find tile_9, assign (home_column = 2, home_row = 2) ]
    or [ find tile_10, assign (home_column = 3, home_row = 2) ]
    or [ find tile_11, assign (home_column = 4, home_row = 2) ]
    or [ find tile_12, assign (home_column = 1, home_row = 1) ]
    or [ find tile_13, assign (home_column = 2, home_row = 1) ]
    or [ find tile_14, assign (home_column = 3, home_row = 1) ]
    or [ find tile_15, assign (home_column = 4, home_row = 1) ].

# A tile of the line, by where it belongs in it.
belongs_1 = assign (tiles++),
    assign (order_4 = order_4 > 1 ? order_4 : 1),
    assign (order_3 = order_3 > 1 ? order_3 : 1),
    assign (order_2 = order_2 > 1 ? order_2 : 1),
    assign (order_1 = order_1 > 1 ? order_1 : 1).

belongs_2 = assign (tiles++),
    assign (order_4 = order_4 > (order_1 + 1) ? order_4 : (order_1 + 1)),
    assign (order_3 = order_3 > (order_1 + 1) ? order_3 : (order_1 + 1)),
    assign (order_2 = order_2 > (order_1 + 1) ? order_2 : (order_1 + 1)).

belongs_3 = assign (tiles++),
    assign (order_4 = order_4 > (order_2 + 1) ? order_4 : (order_2 + 1)),
    assign (order_3 = order_3 > (order_2 + 1) ? order_3 : (order_2 + 1)).

belongs_4 = assign (tiles++),
    assign (order_4 = order_4 > (order_3 + 1) ? order_4 : (order_3 + 1)).

row_4_tile = try [ either [ points at tile_1, belongs_2 ]
        or [ points at tile_2, belongs_3 ]
        or [ points at tile_3, belongs_4 ] ].

row_4 = move to (1, 4), east, row_4_tile, repeat 3 times [ step, row_4_tile ].

row_3_tile = try [ either [ points at tile_4, belongs_1 ]
        or [ points at tile_5, belongs_2 ]
        or [ points at tile_6, belongs_3 ]
        or [ points at tile_7, belongs_4 ] ].

row_3 = move to (1, 3), east, row_3_tile, repeat 3 times [ step, row_3_tile ].

row_2_tile = try [ either [ points at tile_8, belongs_1 ]
        or [ points at tile_9, belongs_2 ]
        or [ points at tile_10, belongs_3 ]
        or [ points at tile_11, belongs_4 ] ].

row_2 = move to (1, 2), east, row_2_tile, repeat 3 times [ step, row_2_tile ].

row_1_tile = try [ either [ points at tile_12, belongs_1 ]
        or [ points at tile_13, belongs_2 ]
        or [ points at tile_14, belongs_3 ]
        or [ points at tile_15, belongs_4 ] ].

row_1 = move to (1, 1), east, row_1_tile, repeat 3 times [ step, row_1_tile ].

column_1_tile = try [ either [ points at tile_4, belongs_2 ]
        or [ points at tile_8, belongs_3 ]
        or [ points at tile_12, belongs_4 ] ].

column_1 = move to (1, 4), south, column_1_tile, repeat 3 times [ step, column_1_tile ].

column_2_tile = try [ either [ points at tile_1, belongs_1 ]
        or [ points at tile_5, belongs_2 ]
        or [ points at tile_9, belongs_3 ]
        or [ points at tile_13, belongs_4 ] ].

column_2 = move to (2, 4), south, column_2_tile, repeat 3 times [ step, column_2_tile ].

column_3_tile = try [ either [ points at tile_2, belongs_1 ]
        or [ points at tile_6, belongs_2 ]
        or [ points at tile_10, belongs_3 ]
        or [ points at tile_14, belongs_4 ] ].

column_3 = move to (3, 4), south, column_3_tile, repeat 3 times [ step, column_3_tile ].

column_4_tile = try [ either [ points at tile_3, belongs_1 ]
        or [ points at tile_7, belongs_2 ]
        or [ points at tile_11, belongs_3 ]
        or [ points at tile_15, belongs_4 ] ].

column_4 = move to (4, 4), south, column_4_tile, repeat 3 times [ step, column_4_tile ].

conflict = either row_4 or row_3 or row_2 or row_1 or column_1 or column_2 or column_3 or column_4,
    assign (tiles -= order_4),
    assert (tiles > 0).

# A line without conflicts.
calm = assert (tiles == order_4).

last_move = not solved, free_1, free_4.

free_1 = test [ find tile_1, either assert (column > 2) or [ assert (column == 2), column_2, calm ] ].

free_4 = test [ find tile_4, either assert (row < 3) or [ assert (row == 3), row_3, calm ] ].

beside_2 = find tile_2,
    assert (column == 3 && row == 4),
    test [ move to (4, 4), not points at tile_3, not points at empty field ],
    test [ row_4, calm ],
    test [ column_3, calm ].

beside_7 = find tile_7,
    assert (column == 4 && row == 3),
    test [ move to (4, 4), not points at tile_3, not points at empty field ],
    test [ row_3, calm ],
    test [ column_4, calm ].

beside_8 = find tile_8,
    assert (column == 1 && row == 2),
    test [ move to (1, 1), not points at tile_12, not points at empty field ],
    test [ row_2, calm ],
    test [ column_1, calm ].

beside_11 = find tile_11,
    assert (column == 4 && row == 2),
    test [ move to (4, 1), not points at tile_15, not points at empty field ],
    test [ row_2, calm ],
    test [ column_4, calm ].

beside_13 = find tile_13,
    assert (column == 2 && row == 1),
    test [ move to (1, 1), not points at tile_12, not points at empty field ],
    test [ row_1, calm ],
    test [ column_2, calm ].

beside_14 = find tile_14,
    assert (column == 3 && row == 1),
    test [ move to (4, 1), not points at tile_15, not points at empty field ],
    test [ row_1, calm ],
    test [ column_3, calm ].

corner = either beside_2 or beside_7 or beside_8 or beside_11 or beside_13 or beside_14.

# perft: 2, 6, 18, 58, 186, 602
