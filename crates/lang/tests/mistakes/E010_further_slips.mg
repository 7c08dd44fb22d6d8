dimensions (4, 4)
pieces { stone 'X' 'O' king 'K' 'k' }
properties { eaten : board : [0 .. 9] taken : player : [0 .. 9] }
tables { worth = 1, 2, 3, 4 }
main = find own stone, pick up, any direction, step, put down, try [ three, win ].
three = find own stone, any direction, repeat 2 times [ step, points at own stone ].
a = three, win own, win(), optionally three, try three then win, three or loss.
b = find king, pick up north, (north or south), step, any directions, step 1, put down on empty field.
c = find any own king, find own stone and king, find stone of own, find own stone at row 1.
d = find king, pick up, move to empty field, put down, put down own stone.
e = find king, eaten += 1, eaten++, score = 1.
f = find king, assert (row == 3 or 4), assert (row in [1 .. 3]).
g = find king, assert (count of own stone == 1, taken[own] == 1), assert (white.taken == 1), assert (worth[own taken] == 1).
h = three(), north, white: step, white to play.
i = either [ find stone, step ] [ find king, step ].
j = three // comments.
