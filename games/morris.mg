# title: Nine men's morris
# family: rows
# board: 24 points on three squares
# origin: Roman empire; also called mill
# rules: Each player first puts nine men on the board, one a turn; then a man moves along a line to the next point,
#   or to any point once its player has only three men. A player who completes a mill, three men on a line, takes off a
#   man of the opponent that is not in a mill, or any if all are. A player who has two men left or cannot move
#   loses. Fifty moves of both players without a new man or a capture are a draw.
# not covered: nothing
# checked: perft 1-5 (OpenSpiel to 4, Regular Boardgames): 24, 552, 12144, 255024, 5140800; random games against a
#   second implementation in the tests

dimensions (7, 7)
sides = 1

pieces
{
    man 'X' 'O'
}

properties
{
    # Men that are still to come.
    reserve : player : [0 .. 9]
    # Moves since a man was put or taken off.
    quiet_moves : board : [0 .. 100] silent below 80
    from : move : [0 .. 48]
}

links
{
    a1 east d1, d1 east g1, b2 east d2, d2 east f2, c3 east d3, d3 east e3,
    a4 east b4, b4 east c4, e4 east f4, f4 east g4,
    c5 east d5, d5 east e5, b6 east d6, d6 east f6, a7 east d7, d7 east g7,
    a1 north a4, a4 north a7, b2 north b4, b4 north b6, c3 north c4, c4 north c5,
    d1 north d2, d2 north d3, d5 north d6, d6 north d7,
    e3 north e4, e4 north e5, f2 north f4, f4 north f6, g1 north g4, g4 north g7
}

setup
{
    .  .  .
     . . .
      ...
    ... ...
      ...
     . . .
    .  .  .
    white to move
    white reserve = 9
    black reserve = 9
}

main = try [ assert (quiet_moves == 100), draw ]
    else try [ assert (reserve + number of own man > 2), go, try [ mill, take ] ]
    else loss.

go = try [ assert (reserve), irreversible, find empty field, replace by man, assign (reserve--, quiet_moves = 0) ]
    else [
        find own man,
        assign (from = place),
        pick up,
        try [ assert (number of own man == 2), find empty field, assert (place != from) ]
        else [ orthogonal, step, points at empty field ],
        put down,
        assign (quiet_moves++),
    ].

# Every line has three points.
mill = test [
        either north or east,
        while step do nothing,
        points at own man,
        repeat 2 times [ step backward, points at own man ],
    ].

opponent_mill = test [
        either north or east,
        while step do nothing,
        points at opponent's man,
        repeat 2 times [ step backward, points at opponent's man ],
    ].

take = irreversible,
    try [ find opponent's man, not opponent_mill ] else find opponent's man,
    replace by empty field,
    assign (quiet_moves = 0).

# perft: 24, 552, 12144
