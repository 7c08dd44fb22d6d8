dimensions (3, 3)
pieces { mark 'X' 'O' }
properties {
    a, b : board : [9 .. 0]
    c : player : [0 .. 9000000]
    d : board : [1 .. 8]
    e : move : [0 .. 0x7FFFFFFFFFFF]
}
main = find empty field, replace by mark, assign (d = 3 * 3), assert (a + b + c + d), assign (e = a).
