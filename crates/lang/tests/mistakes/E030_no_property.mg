dimensions (3, 3)
pieces { mark 'X' 'O' }
tables { worth = 1, 2 }
main = find empty field, assign (row = 3, 4 = 5, worth[1] = 2, column++), replace by mark.
