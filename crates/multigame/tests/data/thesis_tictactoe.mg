dimensions (3,3)

pieces
{
    mark ’X’ ’O’
}

main = try new_mark else draw.

new_mark = find empty field,
    replace by own mark,
    try [ three_in_a_row, win ].

three_in_a_row = find own mark,    # start from any position
    any direction,
    repeat 2 times [ step, points at own mark ].
