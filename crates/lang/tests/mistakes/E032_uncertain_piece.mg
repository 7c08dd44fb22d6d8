dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, either replace by own piece or replace by any piece or replace by any field.
