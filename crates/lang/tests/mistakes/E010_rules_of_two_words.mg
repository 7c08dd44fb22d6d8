dimensions (4, 4)
pieces { stone 'X' 'O' }
main = stone move.
stone move = find own stone, pick up, any direction, step, put down.
goal win = row 4
players = white, black
score = 1
board = 3
