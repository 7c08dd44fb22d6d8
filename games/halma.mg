# title: Halma
# family: race
# origin: George Howard Monks, about 1884
# rules: A pawn steps to an empty neighbour in any direction, or jumps over a neighbour of either colour to the empty
#   field behind it, any number of times in one move; nothing is captured. The player who first has all nineteen pawns
#   in the opposite corner wins; a pawn that has got there does not leave it. Four hundred moves of both players are a
#   draw.
# not covered: rules against pawns that never leave their corner; the game for four
# checked: perft against a second implementation in the tests

dimensions (16, 16)

pieces
{
    pawn 'X' 'O'
    # While jumps are looked for: where they begin, and where they lead.
    neutral origin '*'
    neutral reached '+'
}

properties
{
    target : move : [0 .. 255]
    moves_made : board : [0 .. 800] silent
}

finished
{
    test find own pawn, all_home, win.
}

setup
{
    ...........OOOOO
    ...........OOOOO
    ............OOOO
    .............OOO
    ..............OO
    ................
    ................
    ................
    ................
    ................
    ................
    XX..............
    XXX.............
    XXXX............
    XXXXX...........
    XXXXX...........
    white to move
}

main = try [ assert (moves_made == 800), draw ]
    else try [ assign (moves_made++), go, try [ assert (row >= 12), all_home, win ] ]
    else loss.

# What has arrived stays there.
go = find own pawn,
    either [ at_home, pick up, travel, at_home ] or [ not at_home, pick up, travel ],
    put down.

travel = either [ any direction, step, points at empty field ]
    or [
        replace by origin,
        spread,
        find reached,
        assign (target = place),
        while most (place) find reached do replace by empty field,
        find origin,
        replace by empty field,
        move to (target % 16 + 1, 16 - target / 16),
    ].

# Marks all fields that jumps lead to; after eight turns the direction is what it was.
spread = repeat 8 times [
        try [
            step,
            points at pawn,
            step,
            points at empty field,
            replace by reached,
            spread,
            repeat 2 times step backward,
        ],
        turn 45,
    ].

all_home = not [ find own pawn, not at_home ].

at_home = assert (column > 11 && row > 11 && column + row > 26).

# perft: 40, 1600
