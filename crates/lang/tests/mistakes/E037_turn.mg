dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, turn 30, step, replace by mark.
