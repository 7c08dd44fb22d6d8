dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find enemy, find opponents, points at vacant, find pieces.
