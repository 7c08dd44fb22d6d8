# title: Racing Kings
# family: chess
# origin: Vernon Rylands Parton, 1961
# rules: Both players start on the lowest two rows, without pawns, and race with their kings to the highest row. No move
#   may leave a king in check, neither the mover's nor the opponent's. The player who gets there first wins; but when
#   white does and black follows in the next move, it is a draw. A player who cannot move draws.
# not covered: draws by agreement and on claim
# checked: perft 1-4: 21, 421, 11264, 296242 (Fairy-Stockfish); positions against python-chess

dimensions (8, 8)
sides = 1

pieces
{
    knight 'N' 'n'
    bishop 'B' 'b'
    rook 'R' 'r'
    queen 'Q' 'q'
    king 'K' 'k'
}

properties
{
    # Moves of either player since the last capture.
    halfmoves : board : [0 .. 101] silent below 80
    # Two fields of the notation of chess that are always empty here.
    none : board : [0 .. 1]
}

tables
{
    race = 0, 0, 60, 130, 220, 330, 460, 640, 0
}

evaluation
{
    knights : 310 = find own knight.
    bishops : 330 = find own bishop.
    rooks : 480 = find own rook.
    queens : 850 = find own queen.
    race : race[row] = find own king.
    # Fields ahead where the king may go.
    way : 25 = find own king, either north or northwest or northeast, step, not points at own piece, not attacked.
    far_way : 8 = find own king, either north or northwest or northeast, step, either north or northwest or northeast, step,
        not points at own piece, not attacked.
    knight_reach : 4 = find own knight, knight_jump, not points at own piece.
    bishop_reach : 4 = find own bishop, diagonal, slide, not points at own piece.
    rook_reach : 3 = find own rook, orthogonal, slide, not points at own piece.
    queen_reach : 2 = find own queen, any direction, slide, not points at own piece.
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
    "each side must have one king" = assert (number of white king == 1 && number of black king == 1).
    "no king can be in check" = not [ find own king, attacked ], not [ find opponent's king, threatened ].
}

finished
{
    finish.
}

setup
{
    ........
    ........
    ........
    ........
    ........
    ........
    krbnNBRK
    qrbnNBRQ
    white to move
}

main = try [ white_is_home, not [ legal_move, own_king_is_home ], loss ]
    else try [ assert (halfmoves < 100), legal_move, try finish ]
    else draw.

white_is_home = black to move, test [ find white king, assert (row == 8) ].

own_king_is_home = find own king, assert (row == 8).

# White's arrival is judged after black's answer.
finish = black to move,
    try [ white_is_home, try [ own_king_is_home, draw ] else loss ] else [ own_king_is_home, win ].

legal_move = assign (halfmoves++),
    either
    [ find own knight, pick up, knight_jump ]
    or [ find own bishop, pick up, diagonal, slide ]
    or [ find own rook, pick up, orthogonal, slide ]
    or [ find own queen, pick up, any direction, slide ]
    or [ find own king, pick up, any direction, step ],
    not points at own piece,
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0) ],
    put down,
    not [ find own king, attacked ],
    not [ find opponent's king, threatened ].

knight_jump = orthogonal, step, either turn 45 or turn -45, step.

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

# To the first field that is not empty.
look = do step while points at empty field.

attacked = test either
    [ knight_jump, points at opponent's knight ]
    or [ diagonal, look, either points at opponent's bishop or points at opponent's queen ]
    or [ orthogonal, look, either points at opponent's rook or points at opponent's queen ]
    or [ any direction, step, points at opponent's king ].

threatened = test either
    [ knight_jump, points at own knight ]
    or [ diagonal, look, either points at own bishop or points at own queen ]
    or [ orthogonal, look, either points at own rook or points at own queen ].

# perft: 21, 421, 11264
