# What does not depend on the direction is done before one is chosen.
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

main = either simple or with_a_call or with_a_test or stays.

simple = find own man, any direction, points at own man, pick up, step, put down.

with_a_call = find own man, orthogonal, lift, diagonal, step, put down.

lift = assert (row < 4), pick up.

# The test has a direction of its own.
with_a_test = find own man, orthogonal, not [ north, step, points at wall ], step, put down.

# The first depends on the direction, the second has several results.
stays = either [ orthogonal, assert (direction > 0), pick up ] or [ orthogonal, find own king, step ].
