# title: Konane
# family: capture and chase
# origin: Hawaii, before 1778
# rules: The board is full. Black takes off a stone of his own in the middle or in a corner, white one of hers next to
#   the gap. Then a stone jumps orthogonally over a neighbour of the opponent into a gap, and may go on jumping in
#   the same direction; what is jumped over is taken off. A player who cannot jump loses.
# not covered: nothing
# checked: perft against a second implementation in the tests

dimensions (8, 8)
sides = 1

pieces
{
    stone 'O' 'X'
}

setup
{
    OXOXOXOX
    XOXOXOXO
    OXOXOXOX
    XOXOXOXO
    OXOXOXOX
    XOXOXOXO
    OXOXOXOX
    XOXOXOXO
    black to move
}

main = irreversible,
    try [ assert (number of empty field == 0), first_gap ]
    else try [ assert (number of empty field == 1), second_gap ]
    else try [ find own stone, pick up, orthogonal, repeat 1 .. infinity times jump, put down ]
    else loss.

first_gap = find own stone,
    assert ((column == 4 || column == 5) && (row == 4 || row == 5)
        || (column == 1 || column == 8) && (row == 1 || row == 8)),
    replace by empty field.

second_gap = find own stone, test [ orthogonal, step, points at empty field ], replace by empty field.

jump = step,
    points at opponent's stone,
    replace by empty field,
    step,
    points at empty field.

# perft: 4, 12, 28, 172, 892, 7124
