dimensions (3, 3)
sides = 1
pieces
{
    king 'K' 'k'
    neutral wall '#'
    white fox 'F'
}

main = find own king, pick up, any direction, step, not points at own wall, not points at black fox,
    assert (number of opponent's wall == 0), put down, not find own fox.
