dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { a : board : [0 .. 9] }
evaluation { feature : a++ = find own mark. }
main = find empty field, assert (a = 3), most (a += 1) step, score (--a), replace by mark.
