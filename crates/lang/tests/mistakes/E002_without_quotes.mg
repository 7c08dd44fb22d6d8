dimensions (3, 3)
pieces
{
    mark X O
    man "Man" 'm'
    neutral wall #
}
main = find empty field, replace by mark, find man.
