dimensions (3, 3)
pieces { mark 'X' 'O' }
properties
{
    place, direction : board : [0 .. 9]
    row : board : [0 .. 9]
}
main = find own mark, assert (place == 1 && direction == 1 && row == 1), replace by empty field.
