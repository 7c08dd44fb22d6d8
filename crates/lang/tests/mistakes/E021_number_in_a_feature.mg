dimensions (3, 3)
sides = 1
pieces { rook 'R' 'r' }
evaluation
{
    material : 5 = number of own rook.
}

main = find own rook, pick up, orthogonal, step, put down.
