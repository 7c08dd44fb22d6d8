dimensions (3, 3)
pieces { man 'M' 'm' }
main = find own man, pick up, any direction, assert (direction == east), step, put down.
