dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find emtpy field, replace by mark.
a = find opponents piece, find enemy mark, find enemy's mark, find my mark, find blank square.
b = points at white's mark, find opponent mark, find empty, find any mark.
c = find mark north, find mark one.
one = find own field.
