players 2
repetition = draw
repetition draw 3
dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, replace by mark.
