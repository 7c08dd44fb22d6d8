dimensions (3, 3)
pieces { man 'M' 'm' }
properties { taken : board : [0 .. 9] }
main = find own man, assert (taken = 0), replace by empty field.
