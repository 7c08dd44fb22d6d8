dimensions (3, 3)
sides = 1
pieces { mark 'X' 'O' }
main = try placing, loss.
placing = find empty field, replace by mark, either [ try three, win ] or centre or moving or maybe or passing.
three = find own mark, any direction, repeat 2 times [ step, points at own mark ].
centre = [ try [ find own mark, assert (row == 2) ], draw ].
moving = [ try [ find own mark, replace by empty field ], win ].
maybe = optionally three, win.
passing = try placing else nothing, win.
