dimensions (3 by 3)
pieces
{
    mark = 'X' 'O'
    big king : 'K' 'k';
    tall-tower 'T' 't'
}
properties
{
    count = 0
    turns : board
    total : board : [0, 3]
}
links
{
    a1 - c3
}
evaluation
{
    marks = 10
    kings : find own big_king.
    towers : 5 = find own tall_tower
    more : 6 = find own mark.
}
repetition forbid
other -> nothing.
main = find own mark.
