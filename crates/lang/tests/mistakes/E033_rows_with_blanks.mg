dimensions (3, 3)
pieces { mark 'X' 'O' }
setup
{
    . . .
    "..."
    ...
}
main = find empty field, replace by mark.
