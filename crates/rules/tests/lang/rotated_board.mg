# Rows, columns, places, directions and `match` are the mover's; names and links are white's.
dimensions (3, 2)

pieces
{
    man 'M' 'm'
}

links
{
    c2 east a1
}

main = try [
        find own man,
        assert (row == 1 && column == 1 && place == 3),
        match (opponent's man, any field, any field, own man, empty field, any field),
        pick up, east, step, assert (direction == 2 && column == 2), put down,
    ] else try [ find own man, assert (column == 3 && row == 2), pick up, either east or west, step, put down ]
    else loss.

# position: m2/M2 w
# moves: a1b1
# position: 2m/2M b
# moves: c2b2
# position: 2M/3 w
# moves: c2a1, c2b2
