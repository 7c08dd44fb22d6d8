dimensions (4, 4)
pieces { stone 'X' 'O' king 'K' 'k' }
properties { eaten : board : [0 .. 9] taken : player : [0 .. 9] }
tables { worth = 1, 2, 3, 4 }
main = find own stone, pick up, any direction, step, put down, try [ three, win ].
three = find own stone, any direction, repeat 2 times [ step, points at own stone ].
a = main, three => win.
b = main, three -> win.
c = main, try three win.
d = main, try (row == 3), win.
e = main, (row == 3), (find king, step), assert (eaten == 3) ? win : nothing.
f = find king, assert (eaten == 3 ? win : nothing).
g := main.
