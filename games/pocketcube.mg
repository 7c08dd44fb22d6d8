# title: Pocket cube
# family: puzzle
# board: 24 stickers, the cube unfolded
# origin: Ernő Rubik, about 1980
# rules: A cube of two by two by two pieces, unfolded: the upper face, then left, front, right and back, then the
#   lower face. The piece at the back, below and left stays where it is; a move turns the upper, the right or the
#   front face by a quarter, a half or three quarters. The puzzle is solved when every face has one colour.
# not covered: nothing
# checked: all 3,674,160 positions by distance (OEIS A079761): 1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072,
#   1887748, 623800, 2644

players = 1
dimensions (8, 6)

pieces
{
    up 'U'
    left 'L'
    front 'F'
    right 'R'
    back 'B'
    down 'D'
}

setup
{
      UU
      UU
    LLFFRRBB
    LLFFRRBB
      DD
      DD
}

main = either [ turn_up, name "U" ] or [ repeat 2 times turn_up, name "U2" ] or [ repeat 3 times turn_up, name "U'" ]
    or [ turn_right, name "R" ] or [ repeat 2 times turn_right, name "R2" ] or [ repeat 3 times turn_right, name "R'" ]
    or [ turn_front, name "F" ] or [ repeat 2 times turn_front, name "F2" ] or [ repeat 3 times turn_front, name "F'" ],
    try [ solved, win ].

# Quarter turns clockwise, seen from outside: the face, and the ring around it.

turn_up = cycle (c6, d6, d5, c5),
    cycle (a4, g4, e4, c4),
    cycle (b4, h4, f4, d4).

turn_right = cycle (e4, f4, f3, e3),
    cycle (d6, g3, d2, d4),
    cycle (d5, g4, d1, d3).

turn_front = cycle (c4, d4, d3, c3),
    cycle (c5, e4, d2, b3),
    cycle (d5, e3, c2, b4).

solved = match (up, up, up, up,
        left, left, front, front, right, right, back, back,
        left, left, front, front, right, right, back, back,
        down, down, down, down).

# perft: 9, 81, 729, 6561
