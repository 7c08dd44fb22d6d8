dimensions (3, 3)
pieces { man 'M' 'm' }
appearance { board : hexagons }
main = find own man, pick up, any direction, step, put down.
