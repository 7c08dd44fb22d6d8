# title: Xiangqi
# family: chess
# origin: China, 12th century; Chinese chess
# rules: General and advisers stay in their palace, elephants on their side of the river; the horse is blocked by a
#   piece next to it, the cannon captures over exactly one piece, soldiers also go sideways once across the river. No
#   move may leave the general attacked, nor facing the other general along an open column. A player who cannot move
#   loses. Sixty moves of both players without a capture are a draw, and so is a board where no piece is left that could
#   cross the river.
# not covered: perpetual check and chase, which lose: rules cannot say who gave check all the time; here a third
#   occurrence of a position is a draw
# checked: perft 1-4: 44, 1920, 79666, 3290240 (Fairy-Stockfish); positions against it

dimensions (9, 10)

pieces
{
    general 'K' 'k'
    adviser 'A' 'a'
    elephant 'B' 'b'
    horse 'N' 'n'
    chariot 'R' 'r'
    cannon 'C' 'c'
    soldier 'P' 'p'
}

appearance
{
    board : points
    general : token, '帥', '將'
    adviser : token, '仕', '士'
    elephant : token, '相', '象'
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
    progress = 0, 0, 0, 0, 80, 90, 150, 180, 190, 180, 80
    wing = 0, 0, 5, 10, 20, 25, 20, 10, 5, 0
}

evaluation
{
    chariots : 900 = find own chariot.
    cannons : 450 = find own cannon.
    horses : 400 = find own horse.
    advisers : 180 = find own adviser.
    elephants : 180 = find own elephant.
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
    rnbakabnr
    .........
    .c.....c.
    p.p.p.p.p
    .........
    .........
    P.P.P.P.P
    .C.....C.
    .........
    RNBAKABNR
    white to move
}

main = try [ either assert (halfmoves == 120) or no_attacker, draw ] else try legal_move else loss.

no_attacker = assert (number of chariot + number of cannon + number of horse + number of soldier == 0).

legal_move = assign (halfmoves++),
    either
    [ find own soldier, pick up, either north or [ assert (row > 5), either west or east ], step ]
    or [ find own chariot, pick up, orthogonal, slide ]
    or [ find own cannon, pick up, orthogonal, cannon_path ]
    or [ find own horse, pick up, orthogonal, step, points at empty field, either turn 45 or turn -45, step ]
    or [ find own elephant, pick up, diagonal, step, points at empty field, step, assert (row < 6) ]
    or [ find own adviser, pick up, diagonal, step, in_palace ]
    or [ find own general, pick up, orthogonal, step, in_palace ],
    not points at own piece,
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0) ],
    put down,
    not [ find own general, attacked ].

in_palace = assert (row < 4 && column > 3 && column < 7).

in_palace_of_opponent = assert (row > 7 && column > 3 && column < 7).

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

# perft: 44, 1920
