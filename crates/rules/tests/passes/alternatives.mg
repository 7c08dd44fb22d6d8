# Where several tests hold at once, there is one result.
dimensions (4, 4)

pieces
{
    man  'M' 'm'
    king 'K' 'k'
}

properties
{
    level : board : [0 .. 9]
}

evaluation
{
    counted : 1 = find own man, twice.
}

setup
{
    ....
    ....
    ....
    M..m
}

main = either joined or nested or stays or may_go_wrong or only_counts.

joined = find own man, replace by king, try [ either points at own man or not find opponent's man, win ].

nested = find own man, either points at own king or [ white to move, either assert (level > 2) or assert (level < 8) ], pick up.

# One of them changes something.
stays = find own man, either points at own man or [ north, step ], pick up.

# The first result would hide the fault.
may_go_wrong = find own man, either points at own man or assert (4 / level > 1), pick up.

# The number of results is all that counts in tests and features.
only_counts = find own man, not [ either points at own king or not find own king ], twice, pick up.

twice = either points at own man or not find own king.
