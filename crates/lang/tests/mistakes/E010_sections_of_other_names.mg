DIMENSIONS (4, 4)
pieces { stone 'X' 'O' }
property { count : board : [0 .. 3] }
main = find own stone, assert (count == 0), replace by empty field.
evaluate { men : 1 = find own stone. }
tables { worth : 1, 2 }
evaluation { worth : 1, 2 }
