dimensions (3, 3)
pieces { mark 'X' 'O' }
properties {
    count : board : [0 .. 9]
    flag : player : [0 .. 1]
    height : field : [0 .. 3]
    path : move : [0 .. 3]
}
setup {
    .Z.
    X.O.
    ...
    red to move
    cuont = 3
    count = 12
    flag = 1
    white count = 1
    white flag = one
    height = 1 2 3
    path = 1
}
main = find empty field, assert (count + flag + height + path), replace by mark.
