players = 1
dimensions (4,4)

pieces
{
    piece_1 ’1’
    piece_2 ’2’
    piece_3 ’3’
    piece_4 ’4’
    piece_5 ’5’
    piece_6 ’6’
    piece_7 ’7’
    piece_8 ’8’
    piece_9 ’9’
    piece_10 ’A’
    piece_11 ’B’
    piece_12 ’C’
    piece_13 ’D’
    piece_14 ’E’
    piece_15 ’F’
}

main = move_piece,
    try goal_reached.

move_piece = find empty field,
    orthogonal,
    step,
    pick up,
    step backward,
    put down.

goal_reached = match (empty field, piece_1 , piece_2 , piece_3 ,
        piece_4, piece_5 , piece_6 , piece_7 ,
        piece_8, piece_9 , piece_10, piece_11,
        piece_12, piece_13, piece_14, piece_15),
    win.
