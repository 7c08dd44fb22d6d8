dimensions (3, 1)
pieces { mark 'X' 'O' }
setup
{
    X.O
    whte to move
}
main = find empty field, replace by mark.
