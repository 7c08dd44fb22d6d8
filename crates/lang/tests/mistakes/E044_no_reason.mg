dimensions (3, 3)
pieces { king 'K' 'k' }

possible
{
    " " = test find king.
    each side has a king = test find own king.
}

main = find own king, pick up, any direction, step, put down.
