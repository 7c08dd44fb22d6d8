# title: Tablut
# family: capture and chase
# origin: Lapland, described by Linnaeus in 1732; the rules of Aage Nielsen's historical hnefatafl
# rules: All pieces move like rooks; only the king may stop on the throne in the centre. A man between two enemies, or
#   between an enemy and the empty throne, is captured when the enemy's move brings that about; so is the king, but on
#   the throne or next to it he must be surrounded. Black captures the king to win; the king wins on the edge of the
#   board. A player who cannot move loses; fifty moves of both players without a capture are a draw.
# not covered: a ring of black men that can never be broken, which some rules end at once
# checked: random games against a second implementation in the tests

dimensions (9, 9)
sides = 1

pieces
{
    man 'D' 'A'
    king 'K' 'k'
}

properties
{
    quiet_moves : board : [0 .. 100] silent below 80
}

possible
{
    "there must be one king, who is white" = assert (number of white king == 1 && number of black king == 0).
}

finished
{
    find own king, edge, win.
}

setup
{
    ...AAA...
    ....A....
    ....D....
    A...D...A
    AADDKDDAA
    A...D...A
    ....D....
    ....A....
    ...AAA...
    black to move
}

main = try [ assert (quiet_moves == 100), draw ] else try go else loss.

go = assign (quiet_moves++),
    either [ find own man, pick up, run, not throne, put down, take_around, try [ king_taken, win ] ]
    or [ find own king, pick up, run, put down, take_around, try [ edge, win ] ].

run = orthogonal, repeat 1 .. infinity times [ step, points at empty field ].

throne = assert (column == 5 && row == 5).

edge = assert (column == 1 || column == 9 || row == 1 || row == 9).

take_around = north, repeat 4 times [ try take, turn 90 ].

take = step,
    points at opponent's man,
    step,
    either points at own piece or [ throne, points at empty field ],
    step backward,
    irreversible,
    assign (quiet_moves = 0),
    replace by empty field,
    step backward.

king_taken = test [
        orthogonal,
        step,
        points at opponent's king,
        try [ near_throne, not open_side ] else [ not near_throne, step, points at own man ],
    ].

near_throne = assert ((column - 5) * (column - 5) + (row - 5) * (row - 5) < 2).

# The throne itself is closed.
open_side = orthogonal, step, not points at own man, not throne.

# perft: 80, 4400
