# title: Jeson Mor
# family: chess
# origin: Mongolia; "nine horses"
# rules: Nine knights on each side jump as in chess and capture what stands on the field they reach. A player who leaves
#   the field in the centre with a knight that has reached it wins, and so does one who captures everything. A hundred
#   moves of both players without a capture are a draw.
# not covered: nothing
# checked: perft 1-3: 30, 900, 27960 (Fairy-Stockfish, where a knight has won once it survives in the centre)

dimensions (9, 9)

pieces
{
    knight 'N' 'n'
}

properties
{
    quiet_moves : board : [0 .. 200] silent below 150
}

finished
{
    not find opponent's knight, win.
}

setup
{
    nnnnnnnnn
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    NNNNNNNNN
    white to move
}

main = try [ assert (quiet_moves == 200), draw ] else try jump else loss.

jump = assign (quiet_moves++),
    find own knight,
    try [ assert (column == 5 && row == 5), win ],
    pick up,
    orthogonal,
    step,
    either turn 45 or turn -45,
    step,
    not points at own knight,
    try [ points at opponent's knight, irreversible, assign (quiet_moves = 0) ],
    put down,
    try [ not find opponent's knight, win ].

# perft: 30, 900
