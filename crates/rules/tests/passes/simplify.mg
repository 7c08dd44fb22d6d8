# What is known without a position is done at once.
dimensions (4, 4)

pieces
{
    man  'M' 'm'
    king 'K' 'k'
    neutral wall '#'
}

properties
{
    count, other : board : [0 .. 9]
}

tables
{
    worth = 1, 3, 5
}

setup
{
    ....
    ....
    ....
    M..m
}

main = either constants or brackets or choices or tests or directions or stays.

constants = assert (2 * 3 == 6 && worth[1] + 1 > count), assign (count = 1 + 2 * 3, other = count + 0).

brackets = [ step, [ step, nothing, [ pick up ] ] ], repeat 1 times step.

choices = find own man,
    try turn 90 else [ find own king, step ],
    try assert (1 > 2) else put down,
    either [ either step or turn 45 ] or [ find own king, assert (0), step ],
    # Nothing follows a certain failure, but what can go wrong on the way there stays.
    try [ assert (row > 2), assert (0), pick up ].

tests = not not find own king, test points at own man, not [ test find wall ], test nothing, not assert (0).

directions = north, turn 90, step, turn 360, orthogonal, turn 45, turn -90, step.

# A division by zero is a fault when it happens, not before.
stays = assert (count / (worth[0] - 1) == 1), assert (worth[7] == 2).
