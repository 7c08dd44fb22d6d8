# title: Atari Go
# family: territory
# origin: Yasuda Yasutoshi, 1970s, to teach Go
# rules: White and black take turns to put a stone on an empty field. Stones that touch orthogonally form a group; the
#   player who first takes the last empty field around a group of the opponent wins. A stone that would leave its own
#   group without one, and takes nothing, may not be put. A player who cannot move loses.
# not covered: starting positions with crossed stones
# checked: random games against a second implementation in the tests

dimensions (9, 9)
sides = 1

pieces
{
    stone 'X' 'O'
    # What a group is made of while it is followed.
    link 'x' 'o'
}

finished
{
    find opponent's stone, not opponent_lives, win.
}

setup
{
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    white to move
}

main = try [
        irreversible,
        find empty field,
        replace by stone,
        try [ test [ orthogonal, step, points at opponent's stone, not opponent_lives ], win ] else lives,
    ] else loss.

free = orthogonal, step, points at empty field.

lives = test try free else [ follow, find own link, free ].

opponent_lives = test try free else [ opponent_follow, find opponent's link, free ].

# Marks the whole group; after four turns the direction is what it was, and the finger is where it was.
follow = replace by link,
    repeat 4 times [ try [ step, points at own stone, follow, step backward ], turn 90 ].

opponent_follow = replace by opponent's link,
    repeat 4 times [ try [ step, points at opponent's stone, opponent_follow, step backward ], turn 90 ].

# perft: 81, 6480
