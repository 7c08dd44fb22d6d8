# title: Pancake puzzle
# family: puzzle
# origin: Jacob E. Goodman, 1975
# rules: Ten pancakes of different size lie on a pile. A spatula goes in below any pancake and turns all above it
#   over. The puzzle is solved when the sizes grow from the top to the bottom.
# not covered: burnt pancakes
# checked: piles by distance against a second implementation in the tests: 1, 9, 72, 575, 3963, 22825, …

players = 1
dimensions (1, 10)

pieces
{
    size_1 '1'
    size_2 '2'
    size_3 '3'
    size_4 '4'
    size_5 '5'
    size_6 '6'
    size_7 '7'
    size_8 '8'
    size_9 '9'
    size_10 'A'
}

finished
{
    sorted, win.
}

setup
{
    3
    8
    5
    A
    1
    7
    4
    9
    2
    6
}

setup sorted
{
    1
    2
    3
    4
    5
    6
    7
    8
    9
    A
}

main = flip, try [ sorted, win ].

# The spatula goes in below the second, third, … pancake: the outer ones change places, then the inner ones.
flip = either [ cycle (a9, a10), name "flip 2" ]
    or [ cycle (a8, a10), name "flip 3" ]
    or [ cycle (a7, a10), cycle (a8, a9), name "flip 4" ]
    or [ cycle (a6, a10), cycle (a7, a9), name "flip 5" ]
    or [ cycle (a5, a10), cycle (a6, a9), cycle (a7, a8), name "flip 6" ]
    or [ cycle (a4, a10), cycle (a5, a9), cycle (a6, a8), name "flip 7" ]
    or [ cycle (a3, a10), cycle (a4, a9), cycle (a5, a8), cycle (a6, a7), name "flip 8" ]
    or [ cycle (a2, a10), cycle (a3, a9), cycle (a4, a8), cycle (a5, a7), name "flip 9" ]
    or [ cycle (a1, a10), cycle (a2, a9), cycle (a3, a8), cycle (a4, a7), cycle (a5, a6), name "flip 10" ].

sorted = match (size_1, size_2, size_3, size_4, size_5, size_6, size_7, size_8, size_9, size_10).

# perft: 9, 81, 729, 6561
