dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, points at not own mark, north.
rows = find own mark, points at row 3, north.
