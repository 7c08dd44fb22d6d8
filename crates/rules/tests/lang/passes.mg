# A result that changes nothing: a pass beside moves, and an ending beside moves.
dimensions (2, 1)
sides = 1

pieces
{
    mark 'X' 'O'
}

main = either [ find empty field, replace by mark ]
    or [ test find empty field ]
    or draw.

# position: .X w
# moves: a1, pass; draw, pass
# perft: 3, 3
# position: OX w
# finished: draw
