# title: Eight queens
# family: puzzle
# origin: Max Bezzel, 1848
# rules: Eight queens are put on a chessboard, one in each row from the first to the last, so that none attacks
#   another. The puzzle is solved when all eight stand.
# not covered: nothing
# checked: placements by number of queens: 8, 42, 140, 344, 568, 550, 312 and 92 solutions (OEIS A000170)

players = 1
dimensions (8, 8)

pieces
{
    queen 'Q'
}

# At least so many moves are left.
evaluation
{
    left : 8 - number of queen = move to (1, 1).
}

finished
{
    assert (number of queen == 8), win.
}

setup
{
    ........
    ........
    ........
    ........
    ........
    ........
    ........
    ........
}

main = try place else loss.

place = irreversible,
    find empty field,
    assert (row == number of queen + 1),
    not attacked,
    replace by queen,
    try [ assert (row == 8), win ].

# Queens stand in lower rows only.
attacked = either southwest or south or southeast,
    do step while points at empty field,
    points at queen.

# perft: 8, 42, 140, 344, 568, 550
