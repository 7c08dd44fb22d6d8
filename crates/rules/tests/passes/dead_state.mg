# State that is never read is not computed.
dimensions (4, 4)

pieces
{
    man  'M' 'm'
    king 'K' 'k'
    neutral wall '#'
}

properties
{
    count, read : board : [0 .. 9]
}

setup
{
    ....
    ....
    ....
    M..m
}

main = try [ find own man, walk, not [ assign (count = 0), irreversible, find own king, look ] ] else answer.

# The last direction is read by nobody.
walk = pick up, north, step, put down, assign (count = 1), east.

# It reads `read`, but the direction is its own.
look = assert (read < 9), south, step, points at opponent's piece.

answer = test [ assign (read = 1), move to (1, 1), west, find own king, turn 90, look ],
    # The first value and the first outcome are overwritten.
    assign (count = 2), assign (count = 3), win, draw,
    # This one can go wrong.
    test [ assign (count = read + 1), find own king ].
