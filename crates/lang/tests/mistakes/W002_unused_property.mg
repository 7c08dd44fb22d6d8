dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { a, b, c : board : [0 .. 1]
    path : move : [0 .. 1] }
main = find empty field, assign (a = b, c += 1, path = 1), replace by mark.
