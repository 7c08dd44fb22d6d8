dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, assert (1 < row < 3), assert ((1 < row) < 3), assert (row == column == 1), replace by empty field.
