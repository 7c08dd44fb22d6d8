dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { count : board : [0 .. 9] }
main = find empty field; replace by mark.
a = { find mark }.
b = find empty field, replace with mark.
c = find an empty field, find the mark, find all mark.
d = row == 3, win.
e = find mark, assert row = 3, win.
f = find mark, count = count + 1, win.
g = find mark, step 2 times, win.
h = find mark, any orthogonal, step.
i = repeat 3 [ find mark ].
j = while not find mark [ step ].
k = find mark, else draw.
l = find mark, not empty field.
m = find empty field, put mark.
n = assert (count == 3 and count == 1), assert (not count == 3), assert (total == 1).
o = find mark, any, step.
