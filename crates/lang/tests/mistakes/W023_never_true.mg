dimensions (3, 4)
pieces { man 'M' 'm' }
properties { taken : board : [0 .. 9] own_ones : player : [2 .. 3] }
main = find own man, assert (row == 5 || column == 4 || 0 > row || taken > 9 || 10 <= taken || own own_ones < 2),
    assert (row == 4 || column > 2 || taken != 12 || own own_ones < 3), assign (taken = 1), assert (row == 1 || 2), replace by empty field.
