# title: Minixiangqi
# family: chess
# origin: Shigenobu Kusumoto, 1973
# rules: Chinese chess on a board of seven by seven fields, without advisers and elephants: the general stays in its
#   palace, the horse is blocked by a piece next to it, the cannon captures over exactly one piece, soldiers go forward
#   and sideways. No move may leave the general attacked, nor facing the other general along an open column. A player
#   who cannot move loses. Sixty moves of both players without a capture are a draw.
# not covered: perpetual check and chase, which lose; here a third occurrence of a position is a draw
# checked: perft 1-3: 19, 331, 6664 (Fairy-Stockfish); positions against it

dimensions (7, 7)

pieces
{
    general 'K' 'k'
    horse 'N' 'n'
    chariot 'R' 'r'
    cannon 'C' 'c'
    soldier 'P' 'p'
}

appearance
{
    board : points
    general : token, '帥', '將'
    horse : token, '傌', '馬'
    chariot : token, '俥', '車'
    cannon : token, '炮', '砲'
    soldier : token, '兵', '卒'
}

properties
{
    # Moves of either player since the last capture.
    halfmoves : board : [0 .. 120] silent below 100
    # Two fields of the notation of chess that are always empty here.
    none : board : [0 .. 1]
}

tables
{
    progress = 0, 0, 110, 120, 140, 160, 150, 90
    wing = 0, 0, 5, 15, 20, 15, 5, 0
}

evaluation
{
    chariots : 900 = find own chariot.
    cannons : 450 = find own cannon.
    horses : 400 = find own horse.
    soldiers : progress[row] + wing[column] = find own soldier.
    chariot_reach : 5 = find own chariot, orthogonal, slide, not points at own piece.
    cannon_reach : 3 = find own cannon, orthogonal, cannon_path.
    horse_reach : 10 = find own horse, horse_path, not points at own piece.
    # Fields next to the opponent's general.
    chariot_attack : 12 = find own chariot, orthogonal, slide, near_general.
    cannon_attack : 12 = find own cannon, orthogonal, look, look, near_general.
    horse_attack : 15 = find own horse, horse_path, near_general.
    # A cannon that looks at the general.
    aim : 25 = find own cannon, orthogonal, repeat 1 .. infinity times step, points at opponent's general.
    home : 10 = find own general, assert (row == 1).
}

notation
{
    flags 'K' none
    square (none, 1)
    number halfmoves
    counter
}

repetition draw after 3

possible
{
    "each side must have one general, in its palace" =
        assert (number of own general == 1 && number of opponent's general == 1),
        find own general, in_palace, find opponent's general, in_palace_of_opponent.
    "the player to move must not be able to take the general" = not [ find own general, attacked ].
}

setup
{
    rcnkncr
    p.ppp.p
    .......
    .......
    .......
    P.PPP.P
    RCNKNCR
    white to move
}

main = try [ assert (halfmoves == 120), draw ] else try legal_move else loss.

legal_move = assign (halfmoves++),
    either
    [ find own soldier, pick up, either north or west or east, step ]
    or [ find own chariot, pick up, orthogonal, slide ]
    or [ find own cannon, pick up, orthogonal, cannon_path ]
    or [ find own horse, pick up, orthogonal, step, points at empty field, either turn 45 or turn -45, step ]
    or [ find own general, pick up, orthogonal, step, in_palace ],
    not points at own piece,
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0) ],
    put down,
    not [ find own general, attacked ].

in_palace = assert (row < 4 && column > 2 && column < 6).

in_palace_of_opponent = assert (row > 4 && column > 2 && column < 6).

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

# Over empty fields to an empty one, or over one piece to the opponent's next one.
cannon_path = either repeat 1 .. infinity times [ step, points at empty field ]
    or [ look, look, points at opponent's piece ].

# To the first field that is not empty.
look = do step while points at empty field.

# A horse is blocked on its own side: diagonally before the general.
attacked = test either
    [ either north or west or east, step, points at opponent's soldier ]
    or [ orthogonal, look, either points at opponent's chariot or [ look, points at opponent's cannon ] ]
    or [ diagonal, step, points at empty field, either turn 45 or turn -45, step, points at opponent's horse ]
    or [ north, look, points at opponent's general ].

# ---- evaluation

horse_path = orthogonal, step, points at empty field, either turn 45 or turn -45, step.

near_general = test [ orthogonal, step, points at opponent's general ].

# perft: 19, 331, 6664
