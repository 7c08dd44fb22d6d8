dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { count : board : [0 .. 9] }
main = find own mark, assign (count == 3), replace by empty field.
