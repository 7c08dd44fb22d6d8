# title: Knight's tour
# family: puzzle
# origin: known since the 9th century in Arabic chess literature
# rules: A knight jumps as in chess, never to a field where it has been. The puzzle is solved when it has been on
#   every field.
# not covered: closed tours, which must also end one jump from the start
# checked: 304 tours of a 5 x 5 board from its corner (setup `small`), of 1,728 in all (OEIS A165134)

players = 1
dimensions (8, 8)

pieces
{
    knight 'N'
    visited '+'
}

# At least so many moves are left.
evaluation
{
    left : 1 = find empty field.
}

finished
{
    not find empty field, win.
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
    N.......
}

# The other fields count as visited.
setup small
{
    ++++++++
    ++++++++
    ++++++++
    .....+++
    .....+++
    .....+++
    .....+++
    N....+++
}

main = try jump else loss.

jump = irreversible,
    find knight,
    name field,
    replace by visited,
    orthogonal,
    step,
    either turn 45 or turn -45,
    step,
    points at empty field,
    name field,
    replace by knight,
    try [ not find empty field, win ].

# perft: 2, 10, 50, 268, 1268, 5852
