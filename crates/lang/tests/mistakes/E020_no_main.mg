dimensions (3, 3)
pieces { mark 'X' 'O' }
mian = find empty field, replace by mark.
