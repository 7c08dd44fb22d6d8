dimensions (3, 3)
properties { count : board : [0 .. 9] }
pieces { man 'M' 'm' }
appearance { board : hexagons }
main = find own man, pick up, any direction,
    assert (direction == 2 || direction == 6), step, put down.
