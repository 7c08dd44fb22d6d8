# title: Ataxx
# family: territory
# origin: Dave Crummack and Craig Galley, 1988 (as Infection)
# rules: A stone is cloned to an empty field next to it, or jumps to an empty field two away; then all stones of the
#   opponent around it change sides. A player who cannot move passes. When the board is full, or neither can move, or a
#   player has no stone left, the difference of stones is the score.
# not covered: the draw after fifty moves without a clone
# checked: perft (libataxx): 16, 256, 6460, 155888, 4752668; with four blocked fields 14, 196, 4184, 86528, 2266352

dimensions (7, 7)
sides = 1

pieces
{
    stone 'x' 'o'
    neutral blocked '-'
}

setup
{
    x.....o
    .......
    .......
    .......
    .......
    .......
    o.....x
    white to move
}

setup four_blocked
{
    x.....o
    .......
    ..-.-..
    .......
    ..-.-..
    .......
    o.....x
    white to move
}

main = try clone_or_jump
    else try [ assert (number of own stone), test [ find opponent's stone, reach, points at empty field ] ]
    else score (number of own stone - number of opponent's stone).

clone_or_jump = either
    [ irreversible, find empty field, test [ any direction, step, points at own stone ], replace by stone ]
    or [ find own stone, pick up, jump, points at empty field, put down ],
    north,
    repeat 8 times [ try [ step, points at opponent's stone, replace by stone, step backward ], turn 45 ].

jump = either [ any direction, step, step ] or [ orthogonal, step, either turn 45 or turn -45, step ].

reach = either [ any direction, step ] or jump.

# perft: 16, 256, 6460
