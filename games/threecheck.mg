# title: Three-check
# family: chess
# origin: chess variant, known since about 1940
# rules: The rules of chess, and one more way to win: a player who gives check for the third time has won at once. A
#   double check counts as one.
# not covered: draws by insufficient material, by agreement and on claim
# checked: perft 1-4: 20, 400, 8902, 197281; positions against python-chess and Fairy-Stockfish

dimensions (8, 8)

pieces
{
    pawn 'P' 'p'
    knight 'N' 'n'
    bishop 'B' 'b'
    rook 'R' 'r'
    queen 'Q' 'q'
    king 'K' 'k'
}

properties
{
    # Left and right as the player sees the board: black's king side is on the left.
    may_castle_left, may_castle_right : player : [0 .. 1]
    # The column, as the player to move sees it, behind a pawn that may be captured en passant; 0 for none.
    en_passant : board : [0 .. 8]
    # Checks that the player has given.
    checks : player : [0 .. 3]
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 101] silent below 80
    # What a feature is worth with all pieces on the board, and with none but kings and pawns.
    opening, ending : move : [-2000 .. 2000]
}

# Material and place together: the values of PeSTO (R. Friederich), the mean of left and right. Half a board each, from
# the top row down, from the edge to the middle; `half` leads there.
tables
{
    half = 0, 1, 2, 3, 3, 2, 1, 0, 4, 5, 6, 7, 7, 6, 5, 4, 8, 9, 10, 11, 11, 10, 9, 8, 12, 13, 14, 15, 15, 14, 13, 12,
        16, 17, 18, 19, 19, 18, 17, 16, 20, 21, 22, 23, 23, 22, 21, 20, 24, 25, 26, 27, 27, 26, 25, 24, 28, 29, 30, 31,
        31, 30, 29, 28
    pawn_opening = 0, 0, 0, 0, 126, 166, 176, 164, 69, 98, 123, 130, 64, 97, 91, 104,
        56, 86, 82, 96, 63, 96, 82, 78, 54, 100, 84, 63, 0, 0, 0, 0
    pawn_ending = 0, 0, 0, 0, 276, 263, 239, 234, 183, 185, 163, 156, 118, 114, 102, 96,
        100, 100, 88, 87, 92, 97, 88, 94, 97, 99, 98, 106, 0, 0, 0, 0
    knight_opening = 200, 285, 272, 343, 292, 320, 404, 366, 336, 404, 420, 412, 344, 354, 381, 382,
        326, 350, 354, 358, 318, 345, 352, 352, 313, 304, 340, 335, 273, 317, 294, 312
    knight_ending = 202, 230, 261, 252, 242, 265, 256, 276, 248, 262, 282, 285, 264, 286, 298, 303,
        263, 280, 298, 302, 258, 270, 279, 294, 238, 260, 266, 278, 234, 230, 260, 262
    bishop_opening = 346, 370, 303, 334, 328, 382, 386, 374, 356, 402, 412, 402, 362, 371, 393, 408,
        364, 376, 378, 395, 370, 382, 386, 380, 368, 389, 384, 368, 338, 344, 352, 348
    rook_opening = 514, 514, 498, 534, 512, 506, 540, 548, 482, 517, 512, 504, 455, 468, 498, 502,
        448, 467, 468, 481, 438, 462, 469, 470, 420, 466, 472, 472, 454, 452, 481, 494
    queen_ending = 942, 952, 956, 963, 928, 961, 964, 986, 930, 948, 958, 984, 956, 976, 968, 987,
        938, 970, 962, 975, 930, 928, 952, 944, 909, 906, 910, 920, 899, 912, 909, 912
    king_opening = -26, 12, -9, -36, 0, -20, -12, -8, -16, 23, 4, -18, -26, -17, -18, -28,
        -50, -17, -36, -42, -20, -14, -26, -45, 4, 8, -12, -54, 0, 30, -8, -23
    king_ending = -46, -16, -2, -14, 0, 20, 26, 17, 12, 30, 34, 18, -2, 24, 28, 26,
        -14, 2, 22, 26, -14, 2, 14, 22, -22, -8, 4, 14, -48, -29, -18, -20
    check_worth = 0, 120, 450, 2000
    passed_opening = 0, 0, 0, 5, 10, 20, 40, 70, 0
    passed_ending = 0, 0, 10, 15, 30, 60, 100, 150, 0
    linked = 0, 0, 0, 3, 5, 9, 16, 28, 0
    lever = 0, 0, 0, 0, 2, 8, 16, 0, 0
}

evaluation
{
    # Between opening and ending by the pieces that are left, which count 32 at the start.
    pieces : ending + ((opening - ending) * (number of knight + number of bishop + 3 * number of rook
                + 6 * number of queen) >> 5) = either material or pawn_structure or levers or king_shelter or rook_file
        or bishop_pair or outpost or pawn_threat or checks_given.
    mobility : opening = either
        [ assign (opening = 4), either [ find own knight, knight_jump ] or [ find own bishop, diagonal, slide ], reach ]
        or [ assign (opening = 3), find own rook, orthogonal, slide, reach ]
        or [ assign (opening = 1), find own queen, any direction, slide, reach ].
}

notation
{
    flags 'K' white may_castle_right, 'Q' white may_castle_left, 'k' black may_castle_left, 'q' black may_castle_right
    square (en_passant, 6)
    remaining checks
    number halfmoves
    counter
}

repetition draw after 3

possible
{
    "each side must have one king" = assert (number of white king == 1 && number of black king == 1).
    "no pawn can stand on the first or the last row" = not [ find pawn, assert (row == 1 || row == 8) ].
    "the player to move must not be able to take the king" = not [ find own king, attacked ].
    # A right that does not count any more is forgotten.
    "a pawn that can be taken in passing must have just moved two fields" = try assert (!en_passant) else [
            move to (9 - en_passant, 4),
            points at own pawn,
            test [ south, repeat 2 times [ step, points at empty field ] ],
            try [ not [ replace by empty field, taken_in_passing ], assign (en_passant = 0) ],
        ].
    "king and rook must be at home to castle" = castling_at_home.
}

finished
{
    assert (checks == 3), win.
}

setup
{
    rnbqkbnr
    pppppppp
    ........
    ........
    ........
    ........
    PPPPPPPP
    RNBQKBNR
    white to move
    white may_castle_left = 1
    white may_castle_right = 1
    black may_castle_left = 1
    black may_castle_right = 1
}

main = try [ assert (halfmoves < 100), legal_move, try check ] else try mated else draw.

mated = test [ find own king, attacked ],
    not legal_move,
    loss.

legal_move = either pawn_move or [
        assign (halfmoves = halfmoves + 1),
        either knight_move or bishop_move or rook_move or queen_move or king_move or castling,
        assign (en_passant = 0),
    ],
    not [ find own king, attacked ].

check = find opponent's king, threatened, assign (checks++), forcing, try [ assert (checks == 3), win ].

# ---- pawns

pawn_move = irreversible,
    assign (halfmoves = 0),
    find own pawn, pick up, either advance or pawn_capture, put down, try promotion.

advance = north, step, points at empty field,
    either assign (en_passant = 0) or [
        assert (row == 3),
        step,
        points at empty field,
        try [
            taken_in_passing,
            assign (en_passant = 9 - column),
        ] else assign (en_passant = 0),
    ].

pawn_capture = either northwest or northeast, step,
    either [ points at opponent's piece, rook_loses_castling ] or capture_en_passant,
    assign (en_passant = 0).

capture_en_passant = assert (row == 6 && column == en_passant),
    south, step, replace by empty field, step backward.

# Whether the opponent may take the pawn that has just come to the finger's field, and is not there yet, in passing.
taken_in_passing = test [
        either [ west, step, points at opponent's pawn, replace by empty field, southeast, step ]
        or [ east, step, points at opponent's pawn, replace by empty field, southwest, step ],
        replace by opponent's pawn,
        not [ find opponent's king, threatened ],
    ].

promotion = assert (row == 8),
    either [ replace by queen, forcing ] or replace by knight or replace by rook or replace by bishop.

# ---- pieces

knight_move = find own knight, pick up, knight_jump, land.

knight_jump = orthogonal, step, either turn 45 or turn -45, step.

bishop_move = find own bishop, pick up, diagonal, slide, land.

queen_move = find own queen, pick up, any direction, slide, land.

rook_move = find own rook,
    try [ assert (row == 1 && column == 1 && may_castle_left), irreversible, assign (may_castle_left = 0) ],
    try [ assert (row == 1 && column == 8 && may_castle_right), irreversible, assign (may_castle_right = 0) ],
    pick up, orthogonal, slide, land.

king_move = find own king, pick up, any direction, step, land, king_loses_castling.

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

land = not points at own piece,
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0), rook_loses_castling ],
    put down.

# ---- castling

king_loses_castling = try [
        assert (may_castle_left || may_castle_right),
        irreversible,
        assign (may_castle_left = may_castle_right = 0),
    ].

# A rook that is captured at home cannot castle any more; the opponent sees the board the other way round.
rook_loses_castling = try [
        assert (row == 8 && column == 1),
        assign (opponent's may_castle_right = 0),
    ] else try [
        assert (row == 8 && column == 8),
        assign (opponent's may_castle_left = 0),
    ].

castling = assert (may_castle_left || may_castle_right),
    find own king,
    either [ assert (may_castle_left), west ] or [ assert (may_castle_right), east ],
    test [
        do step while points at empty field,
        points at own rook,
        assert (column == 1 || column == 8),
    ],
    test repeat 3 times [ not attacked, step ],
    king_loses_castling,
    pick up, repeat 2 times step, put down,
    while step do nothing,
    pick up,
    do step backward while not points at own king,
    step backward, put down.

# Rights that the pieces do not bear out are forgotten.
castling_at_home = try [ not [ find own king, assert (row == 1), in_the_middle ],
        assign (may_castle_left = may_castle_right = 0) ],
    try [ not [ find opponent's king, assert (row == 8), in_the_middle ],
        assign (opponent's may_castle_left = opponent's may_castle_right = 0) ],
    try [ not [ move to (1, 1), points at own rook ], assign (may_castle_left = 0) ],
    try [ not [ move to (8, 1), points at own rook ], assign (may_castle_right = 0) ],
    try [ not [ move to (8, 8), points at opponent's rook ], assign (opponent's may_castle_left = 0) ],
    try [ not [ move to (1, 8), points at opponent's rook ], assign (opponent's may_castle_right = 0) ].

in_the_middle = try [ white to move, assert (column == 5) ] else [ black to move, assert (column == 4) ].

# ---- attacks on the finger's field

attacked = test either
    [ either northwest or northeast, step, points at opponent's pawn ]
    or [ knight_jump, points at opponent's knight ]
    or [ diagonal, look, either points at opponent's bishop or points at opponent's queen ]
    or [ orthogonal, look, either points at opponent's rook or points at opponent's queen ]
    or [ any direction, step, points at opponent's king ].

# To the first field that is not empty.
look = do step while points at empty field.

# The same by the mover, on the opponent's king.
threatened = test either
    [ either southwest or southeast, step, points at own pawn ]
    or [ knight_jump, points at own knight ]
    or [ diagonal, look, either points at own bishop or points at own queen ]
    or [ orthogonal, look, either points at own rook or points at own queen ].

# ---- evaluation

material = either
    [ find own pawn, assign (opening = pawn_opening[half[place]], ending = pawn_ending[half[place]]) ]
    or [ find own knight, assign (opening = knight_opening[half[place]], ending = knight_ending[half[place]]) ]
    or [ find own bishop, assign (opening = bishop_opening[half[place]], ending = 295) ]
    or [ find own rook, assign (opening = rook_opening[half[place]], ending = 512) ]
    or [ find own queen, assign (opening = 1025, ending = queen_ending[half[place]]) ]
    or [ find own king, assign (opening = king_opening[half[place]], ending = king_ending[half[place]]) ].

# Doubled, isolated, passed and linked pawns.
pawn_structure = find own pawn, either
    [ test [ north, ahead, points at own pawn ], assign (opening = -8, ending = -18) ]
    or [ not [ next_file, points at own pawn ], assign (opening = -12, ending = -12) ]
    or [ not [ in_front, points at opponent's pawn ],
        assign (opening = passed_opening[row], ending = passed_ending[row]) ]
    or [ test [ either west or east or southwest or southeast, step, points at own pawn ],
        assign (opening = linked[row], ending = linked[row]) ].

# Pawns that attack pawns: far ahead, or with a pawn from the wing against one of the middle.
levers = find own pawn, either
    [ either northwest or northeast, step, points at opponent's pawn, step backward,
        assign (opening = lever[row], ending = lever[row]) ]
    or [ either [ assert (column < 5), northeast ] or [ assert (column > 4), northwest ],
        step, points at opponent's pawn, assign (opening = 38, ending = 8) ].

# A knight that a pawn guards and none can drive away.
outpost = find own knight, assert (row > 3 && row < 7), test [ either southwest or southeast, step, points at own pawn ],
    not [ either west or east, step, north, ahead, points at opponent's pawn ], assign (opening = 20, ending = 12).

# A pawn that attacks a piece.
pawn_threat = find own pawn, either northwest or northeast, step, points at opponent's piece,
    not either points at opponent's pawn or points at opponent's king, assign (opening = 25, ending = 20).

ahead = either step or repeat 2 times step or repeat 3 times step or repeat 4 times step or repeat 5 times step
    or repeat 6 times step.

next_file = either west or east, step, either [ north, step, south, step ] or [ either north or south, ahead ].

in_front = either [ north, ahead ] or [ either west or east, step, north, ahead ].

king_shelter = find own king, assert (row < 3), either northwest or north or northeast, step,
    either points at own pawn or [ north, step, points at own pawn ], assign (opening = 12, ending = 0).

# No own pawn on the rook's file, and perhaps no pawn at all.
rook_file = find own rook, not [ either north or south, ahead, points at own pawn ],
    optionally not [ either north or south, ahead, points at opponent's pawn ], assign (opening = 15, ending = 7).

bishop_pair = assert (number of own bishop > 1), assign (opening = 25, ending = 45).

# A field that no pawn of the opponent guards; the more so next to the opponent's king.
reach = not points at own piece, not [ either northwest or northeast, step, points at opponent's pawn ],
    try [ test [ any direction, step, points at opponent's king ], assign (opening = opening + 12) ].

checks_given = assign (opening = check_worth[checks], ending = check_worth[checks]).

# perft: 20, 400, 8902
