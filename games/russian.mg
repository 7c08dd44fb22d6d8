# title: Russian draughts
# family: draughts
# origin: Russia, 19th century; also called shashki
# rules: Men move one field diagonally forward and jump in all diagonal directions, kings move and jump over any
#   distance. Jumping is forced and goes on as long as possible, a king landing where it can go on; captured pieces
#   leave the board at the end of the move. A man that reaches the last row becomes a king at once and goes on jumping
#   as one. A player who cannot move loses; fifteen moves of both players with kings alone are a draw.
# not covered: the draws for few pieces against a king on the main road
# checked: perft 1-8: 7, 49, 302, 1469, 7482, 37986, 190146, 929899 (Kodra counts 929905: orders of capture apart)

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
    king_moves : board : [0 .. 30] silent below 20
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

main = try [ assert (king_moves == 30), draw ] else try capture else try move_on else loss.

capture = irreversible,
    assign (king_moves = 0),
    either [ find own man, pick up, man_jumps ] or [ find own king, pick up, king_jumps ],
    while most (place) find captured do replace by empty field.

man_jumps = diagonal,
    step,
    take,
    step,
    points at empty field,
    try [ assert (row == 8), promote, try king_jumps else put down ]
    else try man_jumps
    else put down.

king_jumps = diagonal,
    do step while points at empty field,
    take,
    try [ glide, king_jumps ] else [ glide, put down ].

take = points at opponent's piece, replace by captured.

# The man in the hand becomes a king.
promote = put down, replace by king, pick up.

glide = repeat 1 .. infinity times [ step, points at empty field ].

move_on = either
    [ irreversible, assign (king_moves = 0), find own man, pick up, either northwest or northeast, step,
        points at empty field, put down, try crowned ]
    or [ assign (king_moves++), find own king, pick up, diagonal, glide, put down ].

crowned = assert (row == 8), replace by king.

# perft: 7, 49, 302, 1469, 7482
