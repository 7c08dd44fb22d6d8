# Tests that look around become questions about sets of fields.
dimensions (4, 4)

pieces
{
    man  'M' 'm'
    king 'K' 'k'
    neutral wall '#'
}

setup
{
    ....
    ....
    ....
    M..m
}

main = find own king, either leap or ray or over or part or stays.

leap = test [ orthogonal, step, either turn 45 or turn -45, step, points at opponent's man ].

ray = not [ diagonal, do step while points at empty field, either points at own man or points at wall ].

over = test [
        any direction,
        step,
        points at opponent's piece,
        do step while points at opponent's piece,
        points at own piece,
    ].

# The last statements are a path.
part = not [ find opponent's king, either west or east, step, points at own man ].

# It moves a piece, so it is more than a look.
stays = test [ north, step, pick up, step, points at own man ].
