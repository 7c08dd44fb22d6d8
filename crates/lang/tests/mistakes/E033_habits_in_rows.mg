dimensions (3, 3)
pieces { mark 'X' 'O' }
setup
{
    |...|
    ---
    X..  # white
    white to move  # first
    black to move
    white to move
    count = 3
}
main = find own mark.
