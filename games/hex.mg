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
