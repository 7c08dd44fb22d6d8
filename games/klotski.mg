# title: Klotski
# family: puzzle
# origin: early 20th century; in China Huarong Dao, "the Huarong Pass"
# rules: Ten blocks of up to four fields lie on a board of twenty fields and slide one field at a time in any
#   orthogonal direction where all is free. The puzzle is solved when the large block is in the middle of the
#   lowest rows.
# not covered: longer slides count as several moves
# checked: 25,955 states; solved first after 116 moves (81 if a block may go on sliding)

players = 1
dimensions (4, 5)

pieces
{
    large_nw '1'
    large_ne '2'
    large_sw '3'
    large_se '4'
    top '^'
    bottom 'v'
    left '<'
    right '>'
    small 'o'
}

finished
{
    move to (2, 1), points at large_sw, win.
}

setup
{
    ^12^
    v34v
    ^<>^
    voov
    o..o
}

main = slide, try [ move to (2, 1), points at large_sw, win ].

slide = either [ find small, orthogonal, shift ]
    # The ends of a long block point where it goes,
    or [ either [ north, find top ] or [ south, find bottom ] or [ east, find right ] or [ west, find left ],
        file ]
    # or it moves broadside.
    or [ either [ north, find left ] or [ south, find right ] or [ east, find top ] or [ west, find bottom ],
        front ]
    or [ either [ north, find large_nw ] or [ east, find large_ne ] or [ south, find large_se ]
        or [ west, find large_sw ],
        front, step backward, shift, turn -90, step, turn 90, shift ].

# What the finger points at moves on; the finger stays.
shift = pick up, step, points at empty field, put down, step backward.

# One behind the other.
file = shift, step backward, shift.

# The left one, then the right one, where the finger stays.
front = shift, turn 90, step, turn -90, shift.

# perft: 4, 20, 76, 362, 1414, 6594
