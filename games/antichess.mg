# title: Antichess
# family: chess
# origin: chess variant, known since the 19th century; also called losing chess or giveaway
# rules: Pieces move as in chess, but a player who can capture must do so, and the king is a piece like any other: there
#   is no check and no castling, and pawns may become kings. A player who has lost everything or cannot move has won.
# not covered: draws by agreement and on claim; bishops of different colour that can never meet
# checked: perft 1-5: 20, 400, 8067, 153299, 2732672 (Fairy-Stockfish, python-chess)

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
    # The column, as the player to move sees it, behind a pawn that may be captured en passant; 0 for none.
    en_passant : board : [0 .. 8]
    # Moves of either player since the last capture or pawn move.
    halfmoves : board : [0 .. 100] silent below 80
    # A field of the notation of chess that is always empty here.
    none : board : [0 .. 1]
}

notation
{
    flags 'K' none
    square (en_passant, 6)
    number halfmoves
    counter
}

repetition draw after 3

possible
{
    "no pawn can stand on the first or the last row" = not [ find pawn, assert (row == 1 || row == 8) ].
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
}

main = try [ assert (halfmoves == 100), draw ] else try capture else try move_on else win.

capture = irreversible,
    either
    [ find own pawn, pick up, either northwest or northeast, step,
        either points at opponent's piece or en_passant_capture, put down, try promotion ]
    or [ piece_path, points at opponent's piece, put down ],
    assign (en_passant = halfmoves = 0).

en_passant_capture = assert (row == 6 && column == en_passant),
    south,
    step,
    replace by empty field,
    step backward.

move_on = either
    [ irreversible, assign (halfmoves = 0), find own pawn, pick up, north, advance, put down, try promotion ]
    or [ assign (halfmoves++), piece_path, points at empty field, put down, assign (en_passant = 0) ].

advance = step,
    points at empty field,
    either assign (en_passant = 0) or [
        assert (row == 3),
        step,
        points at empty field,
        try [
            test [ either west or east, step, points at opponent's pawn ],
            assign (en_passant = 9 - column),
        ] else assign (en_passant = 0),
    ].

promotion = assert (row == 8),
    either replace by queen or replace by knight or replace by rook or replace by bishop or replace by king.

# Every piece but the pawns, in the hand, and a field that it can reach.
piece_path = either
    [ find own knight, pick up, orthogonal, step, either turn 45 or turn -45, step ]
    or [ find own bishop, pick up, diagonal, slide ]
    or [ find own rook, pick up, orthogonal, slide ]
    or [ find own queen, pick up, any direction, slide ]
    or [ find own king, pick up, any direction, step ].

# Over any number of empty fields to the next one, whatever is there.
slide = repeat 0 .. infinity times [ step, points at empty field ], step.

# perft: 20, 400, 8067
