# title: Hex
# family: connection
# board: a rhombus of 11x11 hexagons
# origin: Piet Hein, 1942, and John Nash, 1948
# rules: White and black take turns to put a stone on an empty field of a rhombus of hexagons: each field has six
#   neighbours, all but those to the northwest and the southeast. White wins by a chain of stones from the upper
#   to the lower edge, black by one from the left to the right edge. One of the two always comes about.
# not covered: the swap rule
# checked: perft 1-3: 121, 14520, 1727880; games to the end against a second implementation in the tests

dimensions (11, 11)
sides = 1

pieces
{
    stone 'X' 'O'
    # What a chain is made of while it is followed.
    link 'x' 'o'
}

evaluation
{
    # Near the middle.
    centre : 12 - (row > 6 ? row - 6 : 6 - row) - (column > 6 ? column - 6 : 6 - column) = find own stone.
    neighbours : 3 = find own stone, either north or northeast or east, step, points at own stone.
    # Two stones with two ways between them.
    bridges : 14 = find own stone, either long_bridge or across.
    # Two ways to the mover's edge from the row before it.
    edges : 8 = find own stone, either [ white to move, assert (row == 2 || row == 10) ]
        or [ black to move, assert (column == 2 || column == 10) ].
    # Fields of the opponent on the way.
    blocked : -4 = find own stone, either [ white to move, either north or south ]
        or [ black to move, either east or west ],
        step,
        points at opponent's stone.
}

finished
{
    find own stone, chain_complete, win.
}

setup
{
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    white to move
}

main = irreversible,
    find empty field,
    replace by stone,
    try [ chain_complete, win ].

chain_complete = test [
        follow,
        either [ white to move, test [ find own link, assert (row == 1) ], find own link, assert (row == 11) ]
        or [ black to move, test [ find own link, assert (column == 1) ],
            find own link, assert (column == 11) ],
    ].

# Marks the whole chain; the finger ends where it began.
follow = replace by link,
    try [ north, next, south, step ],
    try [ northeast, next, southwest, step ],
    try [ east, next, west, step ],
    try [ south, next, north, step ],
    try [ southwest, next, northeast, step ],
    try [ west, next, east, step ].

next = step, points at own stone, follow.

long_bridge = either [ test [ north, step, points at empty field ], northeast, step, points at empty field, north ]
    or [ test [ northeast, step, points at empty field ], east, step, points at empty field, northeast ],
    step,
    points at own stone.

across = test [ north, step, points at empty field ],
    west,
    step,
    points at empty field,
    north,
    step,
    points at own stone.

# perft: 121, 14520
