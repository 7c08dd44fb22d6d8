# title: Kalah
# family: counting
# origin: William Julius Champion, 1940; six houses, four seeds in each
# rules: A player takes all seeds of one of their houses and sows them one by one anticlockwise into the following
#   houses and their own store, leaving out the opponent's. If the last one falls into the store, the player sows again
#   in the same turn; if it falls into an empty house of the player, it is captured with what lies opposite, if anything
#   does. When a player's houses are empty, the other's seeds are his, and the difference of seeds is the score.
# not covered: nothing
# checked: perft 1-4 (OpenSpiel's mancala, turns joined): 10, 116, 1022, 9682

dimensions (8, 2)

properties
{
    seeds : field : [0 .. 48]
    hand : move : [0 .. 48]
}

# The stores are at the ends: the mover's at the right.
setup
{
    .......
     .......
    white to move
    seeds = 0 4 4 4 4 4 4 0 / 0 4 4 4 4 4 4 0
}

main = irreversible,
    try [ own_seeds, test [ find empty field, opponent_house, assert (seeds) ], sow ]
    else try [ own_seeds, move to (1, 2), score (48 - 2 * seeds) ]
    else [ move to (8, 1), score (2 * seeds - 48) ].

own_seeds = test [ find empty field, own_house, assert (seeds) ].

own_house = assert (row == 1 && column < 8).

opponent_house = assert (row == 2 && column > 1).

sow = find empty field,
    own_house,
    assert (seeds),
    name field,
    assign (hand = seeds, seeds = 0),
    do [ next, assign (seeds++, hand--) ] while assert (hand),
    try [ assert (row == 1 && column == 8), own_seeds, sow ] else try capture.

next = try [ assert (row == 1), try [ east, step ] else move to (7, 2) ]
    else try [ assert (column > 2), west, step ]
    else move to (2, 1).

capture = own_house,
    assert (seeds == 1),
    north,
    step,
    assert (seeds),
    assign (hand = seeds + 1, seeds = 0),
    step backward,
    assign (seeds = 0),
    move to (8, 1),
    assign (seeds += hand, hand = 0).

# perft: 10, 116, 1022, 9682
