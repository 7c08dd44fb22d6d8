dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, pick up, either [north or south], step, put down.
bars = find own mark, pick up, either north | south, step, put down.
many = find own mark, pick up, points at own mark or empty field, put down.
else_in_words = find own mark, pick up, try step otherwise loss, put down.
steps = find own mark, pick up, north, step twice, put down.
