repetition draw after 1
dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, replace by mark.
