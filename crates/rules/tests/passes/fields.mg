# Conditions on row, column and place become sets of fields.
dimensions (4, 4)

pieces
{
    man  'M' 'm'
    king 'K' 'k'
    neutral wall '#'
}

properties
{
    count : board : [0 .. 9]
}

setup
{
    ....
    ....
    ....
    M..m
}

main = either one_row or corner or others or half or stays.

one_row = find own man, assert (row == 4).

corner = find own man, assert (row == 1), assert (column <= 2), assert (place % 2 == 0).

others = find own man, not assert (row == 1).

half = find own man, assert (row > 1 && row < 4 || column == 1).

# A property may change, and the right side is not always looked at.
stays = find own man, assert (row == count), assert (1 || row == 2), assert (12 / row == 3).
