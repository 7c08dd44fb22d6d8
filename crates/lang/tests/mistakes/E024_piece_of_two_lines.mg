dimensions (3, 3)
sides = 1
pieces
{
    black stone 'X'
    white stone 'O'
}

main = find empty field, replace by stone.
