# title: Awari
# family: counting
# origin: West Africa; also called oware, in the form of the international competitions
# rules: A player takes all seeds of one of their houses and sows them one by one anticlockwise into the following
#   houses, leaving out the first. If the last one makes two or three in a house of the opponent, those are captured,
#   and so are those in the opponent's houses just before it, as long as they hold two or three; a move that would
#   capture everything captures nothing. The opponent must be left with a seed to play; when that cannot be, or with
#   more than half of the seeds captured, the game is over.
# not covered: when a position recurs the players take what is on their sides; here the game is then a draw
# checked: perft 1-8 (OpenSpiel): 6, 36, 190, 1014, 5219, 27332, 139157, 711414

dimensions (6, 2)

properties
{
    seeds : field : [0 .. 48]
    captured : player : [0 .. 48]
    # Where the sowing began, and what is still to be sown.
    first, hand : move : [0 .. 48]
}

repetition draw after 2

evaluation
{
    captures : 10 * captured = nothing.
    # Seeds on one's own side, and houses to choose from.
    own_side : seeds < 8 ? seeds : 8 = find empty field, assert (row == 1 && seeds).
    choice : 2 = find empty field, assert (row == 1 && seeds).
    # Houses that the opponent may capture, and one that reaches far.
    weak : -4 = find empty field, assert (row == 1 && (seeds == 1 || seeds == 2)).
    store : 6 = find empty field, assert (row == 1 && seeds > 11).
}

finished
{
    over_half, win.
}

setup
{
    ......
    ......
    white to move
    seeds = 4
}

main = try [ assert (opponent's captured < 25), sow, try capture, opponent_can_play, try [ over_half, win ] ]
    else try [ own_seeds, score (48 - 2 * opponent's captured) ]
    else score (2 * captured - 48).

sow = find empty field,
    assert (row == 1 && seeds),
    assign (first = column, hand = seeds, seeds = 0),
    do [ next, try [ assert (row == 1 && column == first), next ], assign (seeds++, hand--) ] while assert (hand).

# Own houses are in row 1, those of the opponent in row 2.
next = try [ assert (row == 1), try [ east, step ] else move to (6, 2) ]
    else try [ west, step ]
    else move to (1, 1).

capture = irreversible,
    assert (row == 2 && (seeds == 2 || seeds == 3)),
    east,
    do assign (captured += seeds, seeds = 0) while [ step, assert (seeds == 2 || seeds == 3) ],
    opponent_can_play.

opponent_can_play = test [ find empty field, assert (row == 2 && seeds) ].

own_seeds = test [ find empty field, assert (row == 1 && seeds) ].

over_half = assert (captured > 24).

# perft: 6, 36, 190, 1014, 5219
