# Nothing that a failed branch did can be seen afterwards.
players = 1
dimensions (3, 1)

pieces
{
    a 'a'
    b 'b'
}

properties
{
    p : board : [0 .. 9]
    q : field : [0 .. 9]
    r : move  : [0 .. 9]
}

setup
{
    ab.
}

main = either
    [ find a, pick up, replace by b, assign (p = 3, q = 4, r = 5), step backward ]
    or [
        test [ find a, pick up, assign (p = 7, r = 1), win ],
        not [ find b, pick up, east, assign (p = 2), step, points at b ],
        try [ find b, pick up, assign (p = 1), east, step, put down, assert (p == 2) ],
        find b, assert (p == 0 && q == 0 && r == 0 && direction == 0), pick up, east, step, put down,
    ].

# long: b1 -> c1
