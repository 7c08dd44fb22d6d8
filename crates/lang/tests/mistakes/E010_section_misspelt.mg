board (3, 3)
Pieces
{
    mark 'X' 'O'
}
setup
{
    X.O
    ...
    ...
}
main = find own mark.
