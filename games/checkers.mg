# title: English checkers
# family: draughts
# origin: England, 16th century; also called American checkers or draughts
# rules: Men move one field diagonally forward, kings in all diagonal directions. Captures are made by jumping,
#   are forced, and go on as long as the same piece can jump; a man that reaches the last row becomes a king
#   and stops. A player who cannot move loses.
# not covered: draws by agreement and by the forty-move rule
# checked: perft 1-11 (Aart Bik): 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128

dimensions (8, 8)

pieces
{
    man 'w' 'b'
    king 'W' 'B'
}

properties
{
    # The way that a jumping piece took: players tell moves apart by it.
    path : move : [0 .. 300000000]
}

tables
{
    advance = 0, 0, 1, 2, 4, 7, 11, 16, 0
}

evaluation
{
    # The fewer pieces are left, the more one of them decides.
    men : 100 + 400 / number of any piece = find own man.
    kings : 150 + 600 / number of any piece = find own king.
    progress : advance[row] = find own man.
    # Two men that keep the opponent from crowning.
    bridge : 10 = find own man, assert (row == 1 && (column == 3 || column == 7)).
    centre : 4 = find own piece, assert (row > 2 && row < 7 && column > 2 && column < 7).
    freedom : 3 = find own king, diagonal, step, points at empty field.
    # A man that can be jumped over is no help.
    guarded : 2 = find own man, either southwest or southeast, try [ step, points at own piece ] else not step.
}

notation
{
    draughts (man, king)
}

repetition draw after 3

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
    black to move
}

main = try capture else try move_on else loss.

capture = irreversible,
    either [ find own man, pick up, man_jumps, put down, try crowned ]
    or [ find own king, pick up, king_jumps, put down ].

man_jumps = either northwest or northeast, jump, try man_jumps.

king_jumps = diagonal, jump, try king_jumps.

jump = step,
    points at opponent's piece,
    replace by empty field,
    step,
    points at empty field,
    assign (path = path * 5 + (direction + 1) / 2).

move_on = either
    [ irreversible, find own man, pick up, either northwest or northeast, glide, try crowned ]
    or [ find own king, pick up, diagonal, glide ].

glide = step, points at empty field, put down.

crowned = assert (row == 8), replace by king.

# perft: 7, 49, 302, 1469, 7361
