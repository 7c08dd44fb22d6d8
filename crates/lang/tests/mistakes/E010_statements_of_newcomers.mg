dimensions (3, 3)
sides = 1
pieces { stone 'X' 'O' }
properties { count, left : board : [0 .. 9] }
graph { a1 north b2 }
setup
{
    ...
    ...
    ...
}

main = try either one or two or three or four or five or six or seven else opponent wins.

one = number of own stone < 4, find own stone.

two = count is 3, find adjacent empty field.

three = find own stone, step, points at other's piece.

four = rotate (a1, a3, c3, c1).

five = highest (count) find own stone.

six = assert (row mod 2 == 0), repeat 1 .. left times step.

seven = either cycle (a1 a3 c3) or cycle a1, a3, c3, c1, find own stone.
