dimensions (3, 3)
pieces { mark 'X' 'O' }
main = move to b3, replace by mark.
a = move to the top.
