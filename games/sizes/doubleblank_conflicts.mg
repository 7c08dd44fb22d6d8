# The double-blank puzzle with an estimate; the rules are those of games/doubleblank.mg. The evaluation is a lower
# bound of the moves that are left: distances, and conflicts in rows and columns (O. Hansson and others, 1992).

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
    or [ find tile_14, assign (home_column = 3, home_row = 1) ].

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
        or [ points at tile_14, belongs_3 ] ].

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
        or [ points at tile_11, belongs_3 ] ].

column_4 = move to (4, 4), south, column_4_tile, repeat 3 times [ step, column_4_tile ].

conflict = either row_4 or row_3 or row_2 or row_1 or column_1 or column_2 or column_3 or column_4,
    assign (tiles -= order_4),
    assert (tiles > 0).

# perft: 4, 20, 108, 620, 3692
