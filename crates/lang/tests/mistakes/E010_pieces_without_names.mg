dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own 'X', step.
a = find own empty field.
b = find own mark, step, points at black.
c = find mark, points at last row.
d = find mark, assert (number of (own mark) == 3).
e = find player mark.
