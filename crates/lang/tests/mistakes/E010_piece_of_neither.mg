dimensions (3, 3)
sides = 1
pieces
{
    king 'K' 'k'
    both wall '%'
    neutral rock #
    both man 'M' 'm'
}
setup
{
    K%.
    #.M
    .mk
}

main = find own king, pick up, any direction, step, not points at wall, not points at rock, not points at man, put down.
