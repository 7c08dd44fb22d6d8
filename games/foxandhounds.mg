# title: Fox and hounds
# family: capture and chase
# origin: Europe, 19th century; played on a draughts board
# rules: The fox moves one field diagonally in any direction, one of the four hounds one field diagonally forward;
#   nothing is captured. The fox wins when it reaches the far row, the hounds when it cannot move; hounds that
#   cannot move lose.
# not covered: nothing
# checked: perft 1-9 (Fairy-Stockfish): 2, 14, 56, 344, 1032, 6264, 23387, 141427, 442493

dimensions (8, 8)

pieces
{
    fox 'F' 'f'
    hound 'H' 'h'
}

possible
{
    "there must be one fox" = assert (number of fox == 1).
}

finished
{
    find own fox, assert (row == 8), win.
}

setup
{
     h h h h
    . . . .
     . . . .
    . . . .
     . . . .
    . . . .
     . . . .
    . . F .
    white to move
}

main = try either fox_move or hound_move else loss.

fox_move = find own fox,
    pick up,
    diagonal,
    step,
    points at empty field,
    put down,
    try [ assert (row == 8), win ].

hound_move = irreversible,
    find own hound,
    pick up,
    either northwest or northeast,
    step,
    points at empty field,
    put down.

# perft: 2, 14, 56, 344, 1032, 6264
