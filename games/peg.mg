# title: Peg solitaire
# family: puzzle
# origin: France, 1697; the English board of 33 holes
# rules: A peg jumps orthogonally over a neighbour into an empty hole, and the neighbour is taken off. The puzzle is
#   solved when one peg is left, in the centre. Without a jump it is lost.
# not covered: nothing
# checked: boards by jumps 1, 4, 12, 60, 296, 1338, 5648, 21842, 77559, 249690; sequences of jumps 4, 12, 60, 400,
#   2960, 24600, 221072, 2076744 (a separate program; OEIS A112738 counts the same up to symmetry)

players = 1
dimensions (7, 7)

pieces
{
    peg 'o'
}

# At least so many moves are left.
evaluation
{
    left : number of peg - 1 = move to (4, 4).
}

finished
{
    assert (number of peg == 1), find peg, assert (column == 4 && row == 4), win.
}

setup
{
      ooo
      ooo
    ooooooo
    ooo.ooo
    ooooooo
      ooo
      ooo
}

main = try jump else loss.

jump = irreversible,
    find empty field,
    orthogonal,
    step,
    points at peg,
    replace by empty field,
    step,
    points at peg,
    name field,
    replace by empty field,
    repeat 2 times step backward,
    name field,
    replace by peg,
    try [ assert (number of peg == 1 && column == 4 && row == 4), win ].

# perft: 4, 12, 60, 400, 2960
