# title: Quarto
# family: rows
# origin: Blaise Müller, 1991
# rules: Sixteen pieces differ in four traits: tall or short, dark or light, square or round, solid or hollow. A player
#   puts the piece that the opponent has chosen on an empty field and chooses one for the opponent. A player who
#   completes a row, column or diagonal of four pieces that share a trait wins; a full board without one is a draw.
# not covered: the variant with squares of four; rows that a player overlooks
# checked: perft 1-3 by arithmetic: 16, 3840, 806400; games to the end against a second implementation in the tests

dimensions (4, 4)
sides = 1

pieces
{
    # The four bits of the number are the traits.
    neutral piece_0 '0'
    neutral piece_1 '1'
    neutral piece_2 '2'
    neutral piece_3 '3'
    neutral piece_4 '4'
    neutral piece_5 '5'
    neutral piece_6 '6'
    neutral piece_7 '7'
    neutral piece_8 '8'
    neutral piece_9 '9'
    neutral piece_10 'A'
    neutral piece_11 'B'
    neutral piece_12 'C'
    neutral piece_13 'D'
    neutral piece_14 'E'
    neutral piece_15 'F'
}

properties
{
    # The piece that must be put next; 16: none has been chosen yet.
    chosen : board : [0 .. 16]
    # The number of the piece on a field.
    traits : field : [0 .. 15]
    # What the pieces of a row have in common: traits that all have, and that none has.
    all, none : move : [0 .. 15]
}

finished
{
    try [ find any piece, row_complete, win ] else [ not find empty field, draw ].
}

setup
{
    ....
    ....
    ....
    ....
    white to move
    chosen = 16
}

main = irreversible,
    try [ assert (chosen == 16), name "choose", choose ]
    else [ put, try [ row_complete, win ] else try choose else draw ].

put = find empty field,
    name field,
    assign (traits = chosen),
    either [ assert (chosen == 0), replace by piece_0 ]
    or [ assert (chosen == 1), replace by piece_1 ]
    or [ assert (chosen == 2), replace by piece_2 ]
    or [ assert (chosen == 3), replace by piece_3 ]
    or [ assert (chosen == 4), replace by piece_4 ]
    or [ assert (chosen == 5), replace by piece_5 ]
    or [ assert (chosen == 6), replace by piece_6 ]
    or [ assert (chosen == 7), replace by piece_7 ]
    or [ assert (chosen == 8), replace by piece_8 ]
    or [ assert (chosen == 9), replace by piece_9 ]
    or [ assert (chosen == 10), replace by piece_10 ]
    or [ assert (chosen == 11), replace by piece_11 ]
    or [ assert (chosen == 12), replace by piece_12 ]
    or [ assert (chosen == 13), replace by piece_13 ]
    or [ assert (chosen == 14), replace by piece_14 ]
    or [ assert (chosen == 15), replace by piece_15 ].

# Every number that is not on the board. The one that was put is there already.
choose = assign (chosen = 0),
    repeat 0 .. 15 times assign (chosen++),
    not [ find any piece, assert (traits == chosen) ],
    name "/" (chosen).

row_complete = test [
        either north or east or [ assert (column == row), northeast ] or [ assert (column + row == 5), northwest ],
        while step do nothing,
        assign (all = none = 15),
        common,
        repeat 3 times [ step backward, common ],
        assert (all || none),
    ].

common = points at any piece, assign (all &= traits, none &= ~traits).

# perft: 16, 3840
