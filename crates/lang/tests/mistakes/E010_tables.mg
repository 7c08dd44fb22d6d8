dimensions (4, 4)
pieces { stone 'X' 'O' }
tables
{
    worth = [1, 2, 3, 4]
    length : 1, 2
    size = {3, 4}
    width = (3, -4)
}
main = find own stone, assert (worth[0] + length[0] + size[0] + width[0] == 3), replace by empty field.
