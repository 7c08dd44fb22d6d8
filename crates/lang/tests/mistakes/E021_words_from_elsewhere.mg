dimensions (3, 3)
pieces { mark 'X' 'O' }
main = if find empty field then replace by mark.
a = find mark, forward, step, left.
b = verify mark.
c = jump mark.
d = find mark and step.
e = find own mark, capture, promote, pass.
f = find mark, pick up mark.
