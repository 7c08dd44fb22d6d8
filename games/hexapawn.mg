# title: Hexapawn
# family: race
# origin: Martin Gardner, 1962, to show a machine of matchboxes that learns
# rules: Three pawns on each side of a board of nine fields go one field straight forward or capture one field
#   diagonally forward. A player who reaches the last row wins; one who cannot move loses.
# not covered: nothing
# checked: the whole tree against a second implementation in the tests; won for the second player (Gardner)

dimensions (3, 3)

pieces
{
    pawn 'P' 'p'
}

finished
{
    find own pawn, assert (row == 3), win.
}

setup
{
    ppp
    ...
    PPP
    white to move
}

main = try [
        irreversible,
        find own pawn,
        pick up,
        either [ north, step, points at empty field ]
        or [ either northwest or northeast, step, points at opponent's pawn ],
        put down,
        try [ assert (row == 3), win ],
    ] else loss.

# perft: 3, 10, 28, 56, 70, 64
