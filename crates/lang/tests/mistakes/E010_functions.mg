dimensions (4, 4)
pieces { stone 'X' 'O' king 'K' 'k' }
properties { eaten : board : [0 .. 9] taken : player : [0 .. 9] }
tables { worth = 1, 2, 3, 4 }
main = find own stone, pick up, any direction, step, put down, try [ three, win ].
three = find own stone, any direction, repeat 2 times [ step, points at own stone ].
a = find king, assert (worth(column - 1) == 2, count(own stone) == 3), assign (eaten = max(eaten, 3)).
b = most eaten [ find king, assign (eaten = 1) ].
c = max (eaten) three.
d = most own taken three.
e = find king, assert (eaten <> 3 && eaten => 3 && eaten =< 3), assign (eaten := 3), eaten := 3.
f = find king, assign (eaten = eaten - 1.
g = find king, assert (row == 3, find stone.
h = find king, north, step(2), 2 step, 2 steps, step orthogonal, !points at king, not empty.
i = find king, step any direction, not own.
