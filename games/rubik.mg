# title: Rubik's cube
# family: puzzle
# board: 54 stickers, the cube unfolded
# origin: Ernő Rubik, 1974
# rules: A cube of three by three by three pieces, unfolded: the upper face, then left, front, right and back, then
#   the lower face. A move turns one face by a quarter, a half or three quarters. The puzzle is solved when every
#   face has one colour.
# not covered: the orientation of the centres
# checked: positions by distance in face turns (jerrybryan.com): 1, 18, 243, 3240, 43239, 574908, …

players = 1
dimensions (12, 9)

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
       UUU
       UUU
       UUU
    LLLFFFRRRBBB
    LLLFFFRRRBBB
    LLLFFFRRRBBB
       DDD
       DDD
       DDD
}

main = either [ turn_up, name "U" ] or [ repeat 2 times turn_up, name "U2" ] or [ repeat 3 times turn_up, name "U'" ]
    or [ turn_down, name "D" ] or [ repeat 2 times turn_down, name "D2" ] or [ repeat 3 times turn_down, name "D'" ]
    or [ turn_left, name "L" ] or [ repeat 2 times turn_left, name "L2" ] or [ repeat 3 times turn_left, name "L'" ]
    or [ turn_right, name "R" ] or [ repeat 2 times turn_right, name "R2" ] or [ repeat 3 times turn_right, name "R'" ]
    or [ turn_front, name "F" ] or [ repeat 2 times turn_front, name "F2" ] or [ repeat 3 times turn_front, name "F'" ]
    or [ turn_back, name "B" ] or [ repeat 2 times turn_back, name "B2" ] or [ repeat 3 times turn_back, name "B'" ],
    try [ solved, win ].

# Quarter turns clockwise, seen from outside: the face's corners, its edges, and the ring around it.

turn_up = cycle (d9, f9, f7, d7),
    cycle (e9, f8, e7, d8),
    cycle (a6, j6, g6, d6),
    cycle (b6, k6, h6, e6),
    cycle (c6, l6, i6, f6).

turn_down = cycle (d3, f3, f1, d1),
    cycle (e3, f2, e1, d2),
    cycle (a4, d4, g4, j4),
    cycle (b4, e4, h4, k4),
    cycle (c4, f4, i4, l4).

turn_left = cycle (a6, c6, c4, a4),
    cycle (b6, c5, b4, a5),
    cycle (d9, d6, d3, l4),
    cycle (d8, d5, d2, l5),
    cycle (d7, d4, d1, l6).

turn_right = cycle (g6, i6, i4, g4),
    cycle (h6, i5, h4, g5),
    cycle (f9, j4, f3, f6),
    cycle (f8, j5, f2, f5),
    cycle (f7, j6, f1, f4).

turn_front = cycle (d6, f6, f4, d4),
    cycle (e6, f5, e4, d5),
    cycle (d7, g6, f3, c4),
    cycle (e7, g5, e3, c5),
    cycle (f7, g4, d3, c6).

turn_back = cycle (j6, l6, l4, j4),
    cycle (k6, l5, k4, j5),
    cycle (d9, a4, f1, i6),
    cycle (e9, a5, e1, i5),
    cycle (f9, a6, d1, i4).

solved = match (up, up, up, up, up, up, up, up, up,
        left, left, left, front, front, front, right, right, right, back, back, back,
        left, left, left, front, front, front, right, right, right, back, back, back,
        left, left, left, front, front, front, right, right, right, back, back, back,
        down, down, down, down, down, down, down, down, down).

# perft: 18, 324, 5832
