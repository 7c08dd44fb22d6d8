# title: Brazilian draughts
# family: draughts
# origin: Brazil: international draughts on the small board
# rules: Men move one field diagonally forward and jump in all diagonal directions, kings move and jump over any
#   distance. Jumping is forced, goes on as long as possible, and of all ways to jump one that captures most must be
#   taken; captured pieces leave the board at the end of the move. A man that ends its move on the last row becomes a
#   king. A player who cannot move loses; twenty-five moves of both players with kings alone are a draw.
# not covered: the draws for three pieces against one king
# checked: perft 1-7 (damforum.nl): 7, 49, 302, 1469, 7473, 37628, 187302

dimensions (8, 8)

pieces
{
    man 'w' 'b'
    king 'W' 'B'
    # A captured piece that is still in the way.
    neutral captured 'x'
}

properties
{
    taken : move : [0 .. 20]
    king_moves : board : [0 .. 50] silent below 40
}

notation
{
    draughts (man, king)
    number king_moves
    counter
}

possible
{
    "a man on the last row must be a king" = not [ find own man, assert (row == 8) ],
        not [ find opponent's man, assert (row == 1) ].
}

setup
{
     b b b b
    b b b b
     b b b b
    . . . .
     . . . .
    w w w w
     w w w w
    w w w w
    white to move
}

main = try [ assert (king_moves == 50), draw ] else try capture else try move_on else loss.

capture = irreversible,
    assign (king_moves = 0),
    most (taken) either
    [ find own man, pick up, man_jumps, put down, try crowned ]
    or [ find own king, pick up, king_jumps, put down ],
    while most (place) find captured do replace by empty field.

man_jumps = diagonal, step, take, step, points at empty field, try man_jumps.

king_jumps = diagonal, do step while points at empty field, take, glide, try king_jumps.

take = points at opponent's piece, replace by captured, assign (taken++).

glide = repeat 1 .. infinity times [ step, points at empty field ].

move_on = either
    [ irreversible, assign (king_moves = 0), find own man, pick up, either northwest or northeast, step,
        points at empty field, put down, try crowned ]
    or [ assign (king_moves++), find own king, pick up, diagonal, glide, put down ].

crowned = assert (row == 8), replace by king.

# perft: 7, 49, 302, 1469, 7473
