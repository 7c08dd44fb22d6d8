dimensions (3, 3)
sides = 1
pieces { stone 'X' 'O' }
properties { moves, others : board : [0 .. 9] }

main = find empty field, replace by stone, assign (moves += 1).
