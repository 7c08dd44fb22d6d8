dimensions (3, 3)
pieces { mark 'X' 'OO' }
main = find empty field, replace by mark.
