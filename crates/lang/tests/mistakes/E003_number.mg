dimensions (3, 3)
pieces { mark 'X' 'O' }
main = repeat 3x times step, turn 999999999999999999999.
