dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { turns : board : [0 .. 9] }
tables { worth = 1, 2 }
main = find empty field, assert (turn_s + mark + worth + turns[1] + wroth[2] + place), replace by mark.
