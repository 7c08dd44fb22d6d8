dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, (pick up, step), { step }, put down.
a = find own mark, north-east, step.
b = find own mark, north east, step.
c = find own mark, step back.
d = find own mark, turn left, step.
e = find own mark, repeat step until points at mark.
f = find own mark, repeat 1 .. * times step.
g = find own mark,, step.
h = find own mark: step.
i = find own mark. step.
j = find own mark, white wins.
k = find own mark, any neighbour.
l = a (1).
m = x = 3, find mark.
n = let x = 3, find mark.
