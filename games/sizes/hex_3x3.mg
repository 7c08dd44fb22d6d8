# Hex on 3x3 fields; the rules are those of games/hex.mg, without an evaluation.

dimensions (3, 3)
sides = 1

pieces
{
    stone 'X' 'O'
    # What a chain is made of while it is followed.
    link 'x' 'o'
}

setup
{
    ...
    ...
    ...
    white to move
}

main = irreversible,
    find empty field,
    replace by stone,
    try [ chain_complete, win ].

chain_complete = test [
        follow,
        either [ white to move, test [ find own link, assert (row == 1) ], find own link, assert (row == 3) ]
        or [ black to move, test [ find own link, assert (column == 1) ],
            find own link, assert (column == 3) ],
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

# perft: 9, 72, 504, 3024, 15120
