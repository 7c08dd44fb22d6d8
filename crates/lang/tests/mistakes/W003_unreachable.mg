dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, either first or second or third or fourth or fifth or sixth.

first = assert (1 > 2), step.

second = not nothing, step.

third = repeat infinity times step, north.

fourth = while nothing do step, north.

fifth = first, north.

sixth = try optionally step else [ test [ move to (4, 1), north ], step ].
