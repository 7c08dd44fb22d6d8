dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { count : board : [0 .. 9] }
main = find empty field, assert (own count + opponent's row), replace by mark.
