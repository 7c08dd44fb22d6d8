pieces { mark 'X' 'O' }
main = find empty field, replace by mark.
