# title: Surakarta
# family: capture and chase
# board: 6x6 points with eight loops
# origin: Java, published in France in 1970
# rules: A stone moves to an empty neighbour in any direction. It captures by running along the lines over empty fields
#   and around at least one of the eight loops at the corners of the board, up to the first stone, which must be the
#   opponent's. A player who captures everything wins, and one who cannot move loses; fifty moves of both players
#   without a capture are a draw.
# not covered: counting of stones in games that are broken off
# checked: random games against a second implementation in the tests

dimensions (6, 6)
sides = 1

pieces
{
    stone 'X' 'O'
}

properties
{
    loops : move : [0 .. 4]
    quiet_moves : board : [0 .. 100] silent below 80
}

finished
{
    not find opponent's stone, win.
}

setup
{
    OOOOOO
    OOOOOO
    ......
    ......
    XXXXXX
    XXXXXX
    white to move
}

main = try [ assert (quiet_moves == 100), draw ] else try either move_on or capture else loss.

move_on = assign (quiet_moves++), find own stone, pick up, any direction, step, points at empty field, put down.

capture = irreversible,
    assign (quiet_moves = 0),
    find own stone,
    pick up,
    orthogonal,
    do try step else loop while points at empty field,
    assert (loops),
    points at opponent's stone,
    put down,
    assign (loops = 0),
    try [ not find opponent's stone, win ].

# From the edge around the nearest corner and back in; after four loops a stone is where it was.
loop = assert (loops < 4),
    assign (loops++),
    either [ assert (direction == 0 && column > 1 && column < 4), move to (1, 7 - column), east ]
    or [ assert (direction == 0 && column > 3 && column < 6), move to (6, column), west ]
    or [ assert (direction == 4 && column > 1 && column < 4), move to (1, column), east ]
    or [ assert (direction == 4 && column > 3 && column < 6), move to (6, 7 - column), west ]
    or [ assert (direction == 2 && row > 3 && row < 6), move to (row, 6), south ]
    or [ assert (direction == 2 && row > 1 && row < 4), move to (7 - row, 1), north ]
    or [ assert (direction == 6 && row > 3 && row < 6), move to (7 - row, 6), south ]
    or [ assert (direction == 6 && row > 1 && row < 4), move to (row, 1), north ].

# perft: 16, 256, 5382
