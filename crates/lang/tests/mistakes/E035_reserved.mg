dimensions (3, 3)
pieces {
    piece 'X' 'O'
    step 's' 'S'
}
properties { row : board : [0 .. 1] }
main = find own piece, assert (row), put down.

find = main.
