dimensions (3, 3)
pieces { king 'K' 'k' }

possible
{
    "there must be kings = test find king.
}

main = find own king, pick up, any direction, step, put down.
