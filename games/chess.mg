# title: Chess
# family: chess
# origin: Europe, about 1475; laws of FIDE
# rules: Six kinds of pieces move and capture each in its own way; no move may leave the mover's own king attacked. A
#   player whose king is attacked and who has no legal move is mated and loses; without a legal move and without attack
#   it is stalemate, a draw. A third occurrence of a position and fifty moves of both players without a capture or a
#   pawn move are draws too.
# not covered: draws by insufficient material (published counts play on there), by agreement and on claim
# checked: perft of the start position (1-5: 20, 400, 8902, 197281, 4865609) and five others of the Chess Programming
#   Wiki, and of the 127 positions of suites/perftsuite.epd

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
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 100] silent below 80
    # What a feature is worth with all pieces on the board, and with none but kings and pawns.
    opening, ending : move : [-2000 .. 2000]
    colour : move : [0 .. 1]
}

# Material and place together. Half a board each, from the top row down, from the edge to the middle; `half` leads
# there. All numbers were fitted to positions that Stockfish has judged, beginning with those of PeSTO (R. Friederich);
# docs/evaluation.md.
tables
{
    half = 0, 1, 2, 3, 3, 2, 1, 0, 4, 5, 6, 7, 7, 6, 5, 4, 8, 9, 10, 11, 11, 10, 9, 8, 12, 13, 14, 15, 15, 14, 13, 12,
        16, 17, 18, 19, 19, 18, 17, 16, 20, 21, 22, 23, 23, 22, 21, 20, 24, 25, 26, 27, 27, 26, 25, 24, 28, 29, 30, 31,
        31, 30, 29, 28
    pawn_opening = 0, 0, 0, 0, 153, 82, 146, 180, 95, 70, 132, 158, 88, 96, 93, 120,
        72, 68, 91, 101, 72, 80, 67, 65, 68, 93, 79, 58, 0, 0, 0, 0
    pawn_ending = 0, 0, 0, 0, 229, 262, 233, 173, 136, 132, 98, 61, 127, 114, 106, 104,
        118, 120, 104, 89, 101, 103, 101, 101, 107, 110, 116, 97, 0, 0, 0, 0
    knight_opening = 263, 286, 296, 349, 301, 321, 382, 370, 299, 383, 374, 424, 361, 392, 422, 409,
        353, 357, 404, 402, 352, 369, 373, 390, 305, 300, 368, 367, 271, 347, 383, 311
    knight_ending = 241, 207, 282, 266, 253, 280, 278, 262, 271, 260, 281, 292, 291, 277, 267, 266,
        282, 284, 275, 290, 273, 262, 282, 282, 261, 300, 258, 284, 229, 256, 239, 288
    bishop_opening = 395, 371, 398, 341, 325, 391, 405, 374, 403, 384, 434, 408, 402, 424, 414, 431,
        392, 397, 400, 414, 388, 429, 410, 396, 369, 412, 402, 400, 398, 368, 378, 335
    rook_opening = 520, 536, 506, 520, 517, 532, 545, 560, 508, 518, 527, 548, 441, 486, 521, 525,
        482, 459, 491, 508, 474, 497, 485, 467, 450, 475, 486, 494, 479, 488, 493, 503
    queen_ending = 926, 1033, 976, 952, 863, 983, 993, 1009, 932, 967, 946, 1020, 1023, 946, 947, 999,
        931, 1010, 991, 976, 854, 928, 959, 956, 892, 952, 952, 936, 878, 945, 864, 898
    king_opening = -20, 24, -20, -44, -8, -40, -46, -1, -51, 21, 57, 15, -66, -45, -34, -42,
        -47, -54, 6, -35, 15, -35, -6, -22, 24, 7, -19, -41, -1, 28, -15, -7
    king_ending = -25, 88, -10, 138, 20, 28, 18, 76, 4, 9, -24, 52, -55, 24, 16, 46,
        -20, 13, 13, 16, -42, -7, -5, 9, -54, -25, -4, 1, -65, -62, -38, -52
    passed_opening = 0, 0, -22, -30, -21, -36, -47, -2, 0
    passed_ending = 0, 0, -9, 16, 30, 63, 109, 35, 0
    linked = 0, 0, 6, 10, 13, 13, 30, 50, 0
    phalanx = 0, 0, 3, 8, 10, 24, 84, 90, 0
    free_way = 0, 0, 6, -2, 13, 26, 55, 74, 0
    lever = 0, 0, -5, 4, 2, 4, 21, 0, 0
}

evaluation
{
    # Between opening and ending by the pieces that are left, which count 32 at the start.
    pieces : ending + ((opening - ending) * (number of knight + number of bishop + 3 * number of rook
                + 6 * number of queen) >> 5) = either material or pawn_structure or passed or levers
        or king_shelter or rook_file or bishop_pair or bad_bishop or outpost.
    activity : ending + ((opening - ending) * (number of knight + number of bishop + 3 * number of rook
                + 6 * number of queen) >> 5) = either mobility or pawn_threat or push_threat or threat or hanging
        or king_attack or king_lines or check or pin.
    # A knight or a bishop alone does not win, nor do two knights: what they are worth is taken back. Otherwise a king
    # without company is hunted: the other one comes near, and drives it to the edge; bishop and knight mate in corners
    # of the bishop's colour.
    few_pieces : ending = try [
            assert (number of own pawn + number of own rook + number of own queen == 0),
            either [ assert (number of own piece == 2), either find own knight or find own bishop ]
            or [ assert (number of own piece == 3 && number of own knight == 2), find own knight ],
            assign (ending = -300)
        ] else [
            assert (number of opponent's piece == 1), either
            [ find own king, assign (opening = place), find opponent's king,
                assign (ending = -5 * ((place / 8 - opening / 8) * (place / 8 - opening / 8)
                        + (place % 8 - opening % 8) * (place % 8 - opening % 8))) ]
            or try [
                assert (number of own bishop == 1 && number of own knight == 1 && number of own piece == 3),
                find own bishop, assign (colour = row + column & 1), find opponent's king,
                assign (opening = colour ? row - column : row + column - 9,
                    ending = 100 * (opening < 0 ? -opening : opening))
            ] else [ find opponent's king,
                assign (ending = 2 * ((2 * row - 9) * (2 * row - 9) + (2 * column - 9) * (2 * column - 9))) ]
        ].
    to move : 38.
}

notation
{
    flags 'K' white may_castle_right, 'Q' white may_castle_left, 'k' black may_castle_left, 'q' black may_castle_right
    square (en_passant, 6)
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

main = try [ assert (halfmoves < 100), legal_move ] else try mated else draw.

# The counter may be at its end already.
mated = test [ find own king, attacked ], not [ assign (halfmoves = 0), legal_move ], loss.

legal_move = either pawn_move or [ assign (halfmoves = halfmoves + 1),
        either knight_move or bishop_move or rook_move or queen_move or king_move or castling, assign (en_passant = 0) ],
    not [ find own king, attacked ].

pawn_move = irreversible, assign (halfmoves = 0), find own pawn, pick up, either advance or pawn_capture, put down, try promotion.

advance = north, step, points at empty field,
    either assign (en_passant = 0) or [ assert (row == 3), step, points at empty field,
        try [ taken_in_passing, assign (en_passant = 9 - column) ]
        else assign (en_passant = 0) ].

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
    try [ points at opponent's piece, irreversible, assign (halfmoves = 0), rook_loses_castling ], put down.

king_loses_castling = try [ assert (may_castle_left || may_castle_right), irreversible,
        assign (may_castle_left = may_castle_right = 0) ].

# A rook that is captured at home cannot castle any more; the opponent sees the board the other way round.
rook_loses_castling = try [ assert (row == 8 && column == 1), assign (opponent's may_castle_right = 0) ]
    else try [ assert (row == 8 && column == 8), assign (opponent's may_castle_left = 0) ].

castling = assert (may_castle_left || may_castle_right), find own king,
    either [ assert (may_castle_left), west ] or [ assert (may_castle_right), east ],
    test [ do step while points at empty field, points at own rook, assert (column == 1 || column == 8) ],
    test repeat 3 times [ not attacked, step ], king_loses_castling,
    pick up, repeat 2 times step, put down,
    while step do nothing, pick up, do step backward while not points at own king, step backward, put down.

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

# ---- attacks of the mover's pieces on the finger's field

threatened = test either
    [ either southwest or southeast, step, points at own pawn ]
    or [ knight_jump, points at own knight ]
    or [ diagonal, look, either points at own bishop or points at own queen ]
    or [ orthogonal, look, either points at own rook or points at own queen ].

material = either
    [ find own pawn, assign (opening = pawn_opening[half[place]], ending = pawn_ending[half[place]]) ]
    or [ find own knight, assign (opening = knight_opening[half[place]], ending = knight_ending[half[place]]) ]
    or [ find own bishop, assign (opening = bishop_opening[half[place]], ending = 288) ]
    or [ find own rook, assign (opening = rook_opening[half[place]], ending = 529) ]
    or [ find own queen, assign (opening = 1048, ending = queen_ending[half[place]]) ]
    or [ find own king, assign (opening = king_opening[half[place]], ending = king_ending[half[place]]) ].

# Doubled, isolated, linked and backward pawns.
pawn_structure = find own pawn, either
    [ test [ north, ahead, points at own pawn ], assign (opening = -2, ending = -29) ]
    or [ not [ next_file, points at own pawn ], assign (opening = -9, ending = 5),
        optionally [ not [ north, ahead, points at opponent's pawn ], assign (opening = -5, ending = -6) ] ]
    or [ either southwest or southeast, step, points at own pawn, step backward,
        assign (opening = linked[row], ending = linked[row]) ]
    or [ either west or east, step, points at own pawn, assign (opening = phalanx[row], ending = phalanx[row]) ]
    or [ not [ either west or east, step, either nothing or [ south, ahead ], points at own pawn ],
        test [ north, step, either northwest or northeast, step, points at opponent's pawn ],
        assign (opening = -6, ending = -4) ].

# No pawn of the opponent can stop it; better if the way is free, guarded by a rook, far from the opponent's king.
passed = find own pawn, not [ in_front, points at opponent's pawn ], either
    assign (opening = passed_opening[row], ending = passed_ending[row])
    or [ test [ north, step, points at empty field ], assign (opening = free_way[row], ending = free_way[row]) ]
    or [ test [ south, look, either points at own rook or points at own queen ], assign (opening = 18, ending = 21) ]
    or [ test [ any direction, step, either nothing or step, points at own king ], assign (opening = 22, ending = 25) ]
    or [ test [ north, either step or repeat 2 times step, either nothing or [ any direction, step ],
            points at opponent's king ],
        assign (opening = 13, ending = -57) ].

# Pawns that attack pawns: far ahead, or with a pawn from the wing against one of the middle.
levers = find own pawn, either
    [ either northwest or northeast, step, points at opponent's pawn, step backward,
        assign (opening = lever[row], ending = lever[row]) ]
    or [ either [ assert (column < 5), northeast ] or [ assert (column > 4), northwest ],
        step, points at opponent's pawn, assign (opening = 22, ending = -7) ].

# A knight that a pawn guards and none can drive away.
outpost = find own knight, assert (row > 3 && row < 7), test [ either southwest or southeast, step, points at own pawn ],
    not [ either west or east, step, north, ahead, points at opponent's pawn ], assign (opening = 46, ending = 40).

# A pawn that attacks a piece.
pawn_threat = find own pawn, either northwest or northeast, step, points at opponent's piece,
    not either points at opponent's pawn or points at opponent's king, assign (opening = 82, ending = 26).

# A pawn that may step to where it attacks a piece.
push_threat = find own pawn, north, step, points at empty field,
    not [ either northwest or northeast, step, points at opponent's pawn ],
    either northwest or northeast, step, points at opponent's piece,
    not either points at opponent's pawn or points at opponent's king, assign (opening = 30, ending = -12).

# A piece that attacks one that is worth more.
threat = either
    [ either [ find own knight, knight_jump ] or [ find own bishop, diagonal, slide ],
        either points at opponent's rook or points at opponent's queen, assign (opening = 51, ending = 1) ]
    or [ find own rook, orthogonal, slide, points at opponent's queen, assign (opening = 56, ending = 9) ].

# A piece that attacks one that nothing guards.
hanging = either
    [ find own knight, knight_jump, loose, assign (opening = 3, ending = 49) ]
    or [ find own bishop, diagonal, slide, loose, assign (opening = 6, ending = 50) ]
    or [ find own rook, orthogonal, slide, loose, assign (opening = -2, ending = 66) ]
    or [ find own queen, any direction, slide, loose, assign (opening = 11, ending = 43) ].

loose = points at opponent's piece, not points at opponent's king, not attacked.

# Fields next to the opponent's king that the queen and another piece attack.
king_attack = find opponent's king, any direction, step, test [ any direction, look, points at own queen ],
    test either [ knight_jump, points at own knight ] or [ diagonal, look, points at own bishop ]
    or [ orthogonal, look, points at own rook ] or [ either southwest or southeast, step, points at own pawn ],
    assign (opening = 28, ending = 58).

# Lines on which a queen of the opponent could attack the king.
king_lines = assert (number of opponent's queen > 0), find own king, any direction,
    repeat 1 .. infinity times [ step, points at empty field ], assign (opening = -3, ending = -3).

# Fields where a piece would give check and could not be taken.
check = either
    [ find own knight, knight_jump, not points at own piece, test [ knight_jump, points at opponent's king ], not attacked,
        assign (opening = 66, ending = -11) ]
    or [ find own rook, orthogonal, slide, not points at own piece, test [ orthogonal, look, points at opponent's king ],
        not attacked, assign (opening = 49, ending = 16) ]
    or [ find own queen, any direction, slide, not points at own piece,
        test [ any direction, look, points at opponent's king ], not attacked, assign (opening = 24, ending = 2) ].

# A piece of the opponent alone between the king and a piece of the mover that looks at it.
pin = find opponent's king,
    either [ diagonal, slide, points at opponent's piece, slide, points at own bishop ]
    or [ orthogonal, slide, points at opponent's piece, slide, points at own rook ],
    assign (opening = 29, ending = 18).

# Own pawns on the colour of a bishop.
bad_bishop = find own bishop, assign (colour = row + column & 1), find own pawn, assert ((row + column & 1) == colour),
    assign (opening = -4, ending = -5).

ahead = either step or repeat 2 times step or repeat 3 times step or repeat 4 times step or repeat 5 times step
    or repeat 6 times step.

next_file = either west or east, step, either [ north, step, south, step ] or [ either north or south, ahead ].

in_front = either [ north, ahead ] or [ either west or east, step, north, ahead ].

# Pawns before the king.
king_shelter = find own king, assert (row < 3), either northwest or north or northeast, step, either
    [ points at own pawn, assign (opening = 22, ending = -13) ]
    or [ north, step, points at own pawn, assign (opening = 10, ending = -1) ].

# No own pawn on the rook's file, and perhaps no pawn at all.
rook_file = find own rook, not [ either north or south, ahead, points at own pawn ],
    optionally not [ either north or south, ahead, points at opponent's pawn ], assign (opening = 31, ending = -6).

bishop_pair = assert (number of own bishop > 1), assign (opening = 38, ending = 70).

# Fields that no pawn of the opponent guards; the more so next to the opponent's king.
mobility = either
    [ find own knight, knight_jump, reach, assign (opening = 9, ending = 3), optionally [ at_king, assign (opening = 13, ending = -11) ] ]
    or [ find own bishop, diagonal, slide, reach, assign (opening = 8, ending = 5), optionally [ at_king, assign (opening = 17, ending = -2) ] ]
    or [ find own rook, orthogonal, slide, reach, assign (opening = 5, ending = 4), optionally [ at_king, assign (opening = 15, ending = 1) ] ]
    or [ find own queen, any direction, slide, reach, assign (opening = 3, ending = 2), optionally [ at_king, assign (opening = 13, ending = 5) ] ].

reach = not points at own piece, not [ either northwest or northeast, step, points at opponent's pawn ].

at_king = test [ any direction, step, points at opponent's king ].

# perft: 20, 400, 8902
