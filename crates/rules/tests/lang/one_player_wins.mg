# A solved position does not end a puzzle for those who count.
players = 1
dimensions (2, 1)

pieces
{
    tile 'T'
}

setup
{
    T.
}

main = find own tile, pick up, orthogonal, step, put down, try [ assert (column == 1), win ].

# perft: 1, 1, 1, 1
# after: a1b1, b1a1
# standing: solved
