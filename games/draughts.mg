# title: International draughts
# family: draughts
# origin: France, about 1720; also called Polish or Dutch draughts
# rules: Men move one field diagonally forward and jump in all diagonal directions, kings move and jump over any
#   distance. Jumping is forced, goes on as long as possible, and of all ways to jump one that captures most must be
#   taken; captured pieces leave the board at the end of the move. A man that ends its move on the last row becomes a
#   king. A player who cannot move loses; twenty-five moves of both players with kings alone are a draw.
# not covered: the draws for three pieces against one king
# checked: perft 1-8 (Aart Bik): 9, 81, 658, 4265, 27117, 167140, 1049442, 6483961

dimensions (10, 10)

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

tables
{
    advance = 0, 0, 1, 2, 3, 5, 7, 10, 14, 20, 0
}

evaluation
{
    # The fewer pieces are left, the more one of them decides.
    men : 100 + 400 / number of any piece = find own man.
    kings : 280 + 600 / number of any piece = find own king.
    progress : advance[row] = find own man.
    centre : 3 = find own man, assert (row > 3 && row < 8 && column > 2 && column < 9).
    # Men that hold together.
    chain : 2 = find own man, either southwest or southeast, step, points at own man.
    home : 5 = find own man, assert (row == 1 && column > 2 && column < 9).
}

notation
{
    draughts (man, king)
    number king_moves
    counter
}

possible
{
    "a man on the last row must be a king" = not [ find own man, assert (row == 10) ],
        not [ find opponent's man, assert (row == 1) ].
}

setup
{
     b b b b b
    b b b b b
     b b b b b
    b b b b b
     . . . . .
    . . . . .
     w w w w w
    w w w w w
     w w w w w
    w w w w w
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

crowned = assert (row == 10), replace by king.

# perft: 9, 81, 658, 4265
