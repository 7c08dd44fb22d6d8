dimensions (3, 3)
pieces
{
    mark 'X' 'O'
    king 'K' 'k'
}
setup
{
    ...
    ...
    X.O
}
main = find empty field, replace by mark, not find opponent's king.
