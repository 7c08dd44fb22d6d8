dimensions (3, 3)
pieces { mark 'X' 'O' }
main = choose own mark, pick up, maybe step, put down.
a = find own mark, random direction, step.
b = find own mark, all directions, step.
c = must capture, find own mark.
d = three in a row, win.
e = find own mark, on row 3, win.
f = find own mark, next player.
g = find own mark, unless points at empty field, n, step.
h = find own mark, go to (1, 3), swap with mark.
i = try find own mark else if [ find mark, step ] else loss.
j = try find own mark elif find mark.
k = find own mark, win if row == 3.
l = find own mark, print "here", score + 1, name mark.
m = moves.
n = find own mark, xyzzy.
