dimensions (4, 4)
pieces { stone 'X' 'O' king 'K' 'k' }
properties { eaten : board : [0 .. 9] taken : player : [0 .. 9] }
tables { worth = 1, 2, 3, 4 }
main = find own stone, pick up, any direction, step, put down, try [ three, win ].
three = find own stone, any direction, repeat 2 times [ step, points at own stone ].
a = main, you win, try three, win.
b = find king, go 2 north, drop, set eaten = 1, call three.
c = find king, field is empty, is empty, black's turn.
