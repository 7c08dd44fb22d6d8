(game "Tic-Tac-Toe" (players 2))
board = 3
goal { line 3 }
dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, replace by mark.
