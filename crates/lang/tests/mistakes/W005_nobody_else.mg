players = 1
dimensions (3, 3)
pieces { tile 'T' }
main = black to move, find opponent's tile, replace by black tile, step.
