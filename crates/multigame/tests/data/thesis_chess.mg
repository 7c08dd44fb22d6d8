# From the appendix of the thesis in its notation; only `check_mate`, at the end, is ours.
# This implementation does not check the 50-move rule !

dimensions (8,8)

pieces
{

pawn ’P’ ’p’
rook ’R’ ’r’
knight ’N’ ’n’
bishop ’B’ ’b’
queen ’Q’ ’q’
king ’K’ ’k’
}

properties
{

may_castle_left, may_castle_right : player : [ 0 .. 1 ]

en_passant_column : board : [ 0 .. 8 ]
# 0 - no en passant pawn
# 1 .. 8 - pawn at (en_passant_column,4) may be captured en passant

}

main = try legal_move else try check_mate else draw.

legal_move = either pawn_move or rook_move or knight_move or
bishop_move or queen_move or king_move or
castle_move,

try [
not find opponent’s king,
win,

] else test [
find own king,
not attacked,

].

pawn_move = irreversible,
find own pawn,
pick up,
either pawn_forward_move or pawn_capture_move,
put down,
try promotion.

pawn_forward_move = north,
step,
points at empty field,
either [ # double forward

assert (row == 3),
step,
points at empty field,
assign (en_passant_column = 9 − column),

] or assign (en_passant_column = 0).

pawn_capture_move = either northwest or northeast,
step,
either points at opponent’s piece or [

# en passant move
points at empty field,
assert (en_passant_column == column),
south,

step,
points at opponent’s pawn,
replace by empty field,
step backward,

],
assign (en_passant_column = 0).

promotion = assert (row == 8),
either replace by queen or replace by knight or

replace by bishop or replace by rook.

rook_move = find own rook,
try [

assert (row == 1 && column == 1 &&
may_castle_left),

irreversible,
assign (may_castle_left = 0),

] else try [
assert (row == 1 && column == 8 &&

may_castle_right),
irreversible,
assign (may_castle_right = 0),

],
pick up,
orthogonal,
repeat 0 .. infinity times [

step,
points at empty field,

],
step,
not points at own piece,
put down,
assign (en_passant_column = 0).

bishop_move = find own bishop,
pick up,
diagonal,
repeat 0 .. infinity times [

step,
points at empty field,

],
step,
not points at own piece,
put down,
assign (en_passant_column = 0).

queen_move = find own queen,
pick up,
any direction,
repeat 0 .. infinity times [

step,
points at empty field,

],

step,
not points at own piece,
put down,
assign (en_passant_column = 0).

king_move = find own king,
pick up,
any direction,
step,
not points at own piece,
put down,
try [

assert(may_castle_left || may_castle_right),
irreversible,
assign(may_castle_left = may_castle_right = 0),

],
assign (en_passant_column = 0).

knight_move = find own knight,
pick up,
orthogonal,
step,
either turn 45 or turn −45,
step,
not points at own piece,
put down,
assign (en_passant_column = 0).

castle_move = irreversible,
try [

white to move,
move to (5,1),

] else move to (4,1),
either [

assert (may_castle_left),
west,

] or [
assert (may_castle_right),
east,

],
test [

step,
do [

points at empty field,
step,

] while not points at own rook
],
test repeat 3 times [ not attacked, step ],
assign (may_castle_left = may_castle_right = 0),
pick up,
repeat 2 times step,

put down,
while step do nothing,
pick up,
do step backward while not points at own king,
step backward,
put down,
assign (en_passant_column = 0).

attacked = test either atckd_by_pawn or atckd_by_rook or
atckd_by_knight or atckd_by_bishop or
atckd_by_queen or atckd_by_king.

atckd_by_pawn = either northwest or northeast,
step,
points at opponent’s pawn.

atckd_by_rook = orthogonal,
do step while points at empty field,
points at opponent’s rook.

atckd_by_bishop = diagonal,
do step while points at empty field,
points at opponent’s bishop.

atckd_by_queen = any direction,
do step while points at empty field,
points at opponent’s queen.

atckd_by_king = any direction,
step,
points at opponent’s king.

atckd_by_knight = orthogonal,
step,
either turn 45 or turn −45,
step,
points at opponent’s knight.

# The thesis does not print this rule.
check_mate = test [ find own king, attacked ], loss.
