# title: Hexagon
# family: territory
# board: 58 hexagons, five on each side, with three holes
# origin: Argo Games, 1993 (as Hexxagon), after Ataxx
# rules: On a board of hexagons with three holes, a stone is cloned to an empty field next to it, or jumps to an empty
#   field two away; then all stones of the opponent around it change sides. A player who cannot move passes. When the
#   board is full, or neither can move, or a player has no stone left, the difference of stones is the score.
# not covered: nothing
# checked: perft against a second implementation in the tests

dimensions (9, 9)
sides = 1

pieces
{
    stone 'x' 'o'
}

# Each field has six neighbours: all but those to the northwest and the southeast.
setup
{
        x...o
       ......
      .......
     ... ....
    o.... ..x
    ... ....
    .......
    ......
    x...o
    white to move
}

main = try clone_or_jump
    else try [ assert (number of own stone), test [ find opponent's stone, reach, points at empty field ] ]
    else score (number of own stone - number of opponent's stone).

clone_or_jump = either
    [ irreversible, find empty field, test [ next, points at own stone ], replace by stone ]
    or [ find own stone, pick up, jump, points at empty field, put down ],
    northeast, take_over, north, take_over, west, take_over,
    southwest, take_over, south, take_over, east, take_over.

take_over = try [ step, points at opponent's stone, replace by stone, step backward ].

next = either north or northeast or east or south or southwest or west, step.

# Two away, whatever lies between: even a hole.
jump = either move to (column + 2, row) or move to (column - 2, row)
    or move to (column, row + 2) or move to (column, row - 2)
    or move to (column + 2, row + 2) or move to (column - 2, row - 2)
    or move to (column + 2, row + 1) or move to (column - 2, row - 1)
    or move to (column + 1, row + 2) or move to (column - 1, row - 2)
    or move to (column + 1, row - 1) or move to (column - 1, row + 1).

reach = either next or jump.

# perft: 24, 570, 16548
