dimensions (4, 4)
pieces { stone 'X' 'O' king 'K' 'k' }
properties { eaten : board : [0 .. 9] taken : player : [0 .. 9] }
tables { worth = 1, 2, 3, 4 }
main = find own stone, pick up, any direction, step, put down, try [ three, win ].
three = find own stone, any direction, repeat 2 times [ step, points at own stone ].
a = find king, assign (opponents taken--), assert (opponent taken == 0 && taken of opponent == 0).
b = find king, replace by own.
c = find king, replace by stone white, find king own.
d = find king, either step or [ step, points at black stone or king ].
e = find king, [ either north or south ], step, points at empty field or opponent's stone.
f = find empty field, replace by own stone or own king.
