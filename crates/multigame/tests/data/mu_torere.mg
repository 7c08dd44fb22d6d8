# Mu torere: eight points in a circle and one in the middle, four stones each.

dimensions (3, 3)
sides = 1

pieces
{
    stone 'X' 'O'
}

# The circle runs clockwise from b3; in the grid its neighbours are orthogonal, the middle is reached by any way.
setup
{
    XXX
    O.X
    OOO
}

main = try either around or inwards or outwards else loss.

neighbour = orthogonal, step, not in_the_middle.

in_the_middle = assert (column == 2 && row == 2).

around = find own stone, not in_the_middle, pick up, neighbour, points at empty field, put down.

# Only a stone beside one of the opponent's goes to the middle.
inwards = find own stone, not in_the_middle, test [ neighbour, points at opponent's stone ],
    pick up, move to (2, 2), points at empty field, put down.

outwards = move to (2, 2), points at own stone, pick up, any direction, step, points at empty field, put down.
