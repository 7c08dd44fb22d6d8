dimensions (3, 3)
pieces { mark 'X' 'O' }
properties {
    count : board : [0 .. 9]
    flag : player : [0 .. 1]
    path : move : [0 .. 1]
}
notation {
    flags 'K' white count, 'k' flag
    square (path, 9)
    number cuont
    draughts (mark, kign)
}
main = find empty field, replace by mark.
