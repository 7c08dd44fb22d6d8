players = 1
dimensions (3, 3)
pieces { tile 'T' 't' }
main = find tile, step.
