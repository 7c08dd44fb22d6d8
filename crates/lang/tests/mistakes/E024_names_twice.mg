dimensions (3, 3)
pieces {
    mark 'X' 'O'
    mark 'Y' 'P'
}
properties { a : board : [0 .. 1] }
tables { a = 1 }
setup {
    ...
    ...
    ...
}
setup {
    X..
    ...
    ...
}
main = find empty field, assert (a), replace by mark.

main = step.
