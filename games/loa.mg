# title: Lines of Action
# family: connection
# origin: Claude Soucie, about 1960
# rules: A piece moves in any of the eight directions, exactly as many fields as there are pieces of both colours on
#   that line; it may pass over pieces of its own side and capture at the end, but not pass over the opponent's. A
#   player whose pieces all hang together, diagonals included, wins; if a move brings this about for both, the mover
#   wins. A player who cannot move loses.
# not covered: the draw that some tournaments give when both groups become connected at once
# checked: perft 1-4 (OpenSpiel): 36, 1244, 44952, 1563208

dimensions (8, 8)
sides = 1

pieces
{
    stone 'X' 'O'
    # What a group is made of while it is followed.
    link 'x' 'o'
}

properties
{
    from_column, from_row : move : [0 .. 8]
    distance : move : [0 .. 8]
}

tables
{
    central = 0, 0, 8, 14, 18, 18, 14, 8, 0
}

evaluation
{
    # Near the middle, and hanging together.
    centre : central[row] + central[column] = find own stone.
    edge : -12 = find own stone, assert (row == 1 || row == 8 || column == 1 || column == 8).
    neighbours : 7 = find own stone, any direction, step, points at own stone.
    alone : -40 = find own stone, not [ any direction, step, points at own stone ].
}

finished
{
    try [ find own stone, connected, win ] else [ opponent_connected, loss ].
}

setup
{
    .XXXXXX.
    O......O
    O......O
    O......O
    O......O
    O......O
    O......O
    .XXXXXX.
    white to move
}

main = try go else loss.

go = find own stone,
    assign (from_column = column, from_row = row),
    any direction,
    measure,
    move to (from_column, from_row),
    pick up,
    while assert (distance) do [
        step,
        assign (distance--),
        try [ assert (distance), not points at opponent's stone ]
        else [ assert (!distance), not points at own stone ],
    ],
    try [ points at opponent's stone, irreversible ],
    put down,
    try [ connected, win ] else try [ opponent_connected, loss ].

# Along the whole line, from its end back to its beginning.
measure = while step do nothing,
    do try [ points at any piece, assign (distance++) ] while step backward.

connected = test [ follow, not find own stone ].

opponent_connected = test [
        most (place) find opponent's stone,
        opponent_follow,
        not find opponent's stone,
    ].

# Marks the whole group; after eight turns the direction is what it was, and the finger is where it was.
follow = replace by link,
    repeat 8 times [ try [ step, points at own stone, follow, step backward ], turn 45 ].

opponent_follow = replace by opponent's link,
    repeat 8 times [ try [ step, points at opponent's stone, opponent_follow, step backward ], turn 45 ].

# perft: 36, 1244
