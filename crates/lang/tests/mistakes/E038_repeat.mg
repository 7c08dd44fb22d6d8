dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, repeat 3 .. 1 times step, replace by mark.
