dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, assert (points at empty field).
a = find own mark, assert (white to move && row == 1).
b = find own mark, assert (count own mark > 2).
c = find own mark, assert (a3 == 0), assert (x == 1), assert (true), assert (main).
d = find own mark, assert (own mark == 3), assert (worth[1] > 2).
