# Loops whose rounds can go on in several ways become rules that call themselves.
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

main = either straight or zigzag or king_walk or twice or measured.

# One result a round: it stays a loop.
straight = find own man, pick up, north, while [ step, points at empty field ] do nothing, put down.

zigzag = find own man,
    pick up,
    while [ either northwest or northeast, step, points at empty field ] do nothing,
    put down.

king_walk = find own king, pick up, do [ orthogonal, step ] while points at empty field, put down.

twice = find own king, pick up, repeat 1 .. 2 times [ diagonal, step ], put down.

measured = find own king, pick up, repeat 0 .. infinity times [ orthogonal, step, points at wall ], put down.
