dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, palce_mark, mark, orthogonl.

place_mark = replace by mark, quiet.
