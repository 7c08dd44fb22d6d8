# title: Othello 6x6
# family: territory
# origin: the small board of Othello, solved by Joel Feinstein in 1993
# rules: A disc is put where it encloses discs of the opponent in at least one direction, between itself and another
#   disc of the mover; all enclosed discs are turned over. A player who cannot do so passes. When neither can, the game
#   is over and the difference of discs is the score.
# not covered: empty fields are not given to the winner, as some tournaments do
# checked: perft against a second implementation in the tests

dimensions (6, 6)
sides = 1

pieces
{
    disc 'O' 'X'
}

properties
{
    passed : board : [0 .. 1]
}

evaluation
{
    # At the end discs count, and only they.
    discs : number of empty field < 10 ? 3 * (10 - number of empty field) : 0 = find own disc.
    mobility : 10 = find empty field, test [ any direction, enclosed ].
    # Next to an empty field: where the opponent can play.
    frontier : -5 = find own disc, test [ any direction, step, points at empty field ].
    corners : 90 = find own disc, corner.
    # Beside a corner that is still to be had.
    beside_corner : -12 = find empty field, corner, orthogonal, step, points at own disc.
    before_corner : -40 = find empty field, corner, diagonal, step, points at own disc.
    # From one's own corner along the edge: discs that are never turned.
    stable : 14 = find own disc, corner, orthogonal, repeat 1 .. 5 times [ step, points at own disc ].
}

notation
{
    line '-'
    rows from top
}

setup
{
    ......
    ......
    ..OX..
    ..XO..
    ......
    ......
    black to move
}

main = try place
    else try [ assert (!passed), test find empty field, assign (passed = 1) ]
    else score (number of own disc - number of opponent's disc).

place = irreversible,
    quiet,
    find empty field,
    test [ any direction, enclosed ],
    replace by disc,
    north,
    repeat 8 times [ try turn_over, turn 45 ],
    assign (passed = 0).

# Over the opponent's discs to one of the mover's.
enclosed = step,
    points at opponent's disc,
    do step while points at opponent's disc,
    points at own disc.

# And back again, turning them over; the finger ends where it began.
turn_over = enclosed,
    step backward,
    do [ replace by disc, step backward ] while points at opponent's disc.

corner = assert ((row == 1 || row == 6) && (column == 1 || column == 6)).

# perft: 4, 12, 56, 244, 1364, 7604
