dimensions (0, 3)
pieces { mark 'X' 'O' }
main = find empty field, replace by mark.
