dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mrk, replace by pawn, find field, assert (number of makr).
