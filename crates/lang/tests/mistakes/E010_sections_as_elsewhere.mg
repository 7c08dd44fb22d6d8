dimensions (3x3)
pieces { man 'M'/'m' }
properties
{
    count : global : [0 .. 9]
    moved : bool
    taken : board : [0 .. 9] = 3
    height : square : [0 .. 3]
}
table worth = 1, 2, 3
var passed = 0
end
{
    win = not find opponent's man.
}
appearance { board = hexagons }
evaluation { men : 1 = find own man }
evaluation { 1 * number of own man }
possible { find own man. }
links { a1 north -> c3 }
rules
{
    main = find own man, replace by empty field;
}
