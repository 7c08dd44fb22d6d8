dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { count : board : [0 .. 9] }
main = find empty field, assert (count / 0 + count % (2 - 2)), assign (count /= 0), replace by mark.
