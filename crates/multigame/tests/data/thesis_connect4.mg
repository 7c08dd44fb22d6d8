dimensions (7,6)
sides = 1

pieces
{
    mark ’X’ ’O’
}

main = try new_mark else draw.

new_mark = irreversible,
    find empty field,
    not [ south, step, points at empty field ],
    replace by mark,
    try winning_position.

winning_position = any direction,
    optionally [ step, points at own piece ],
    repeat 3 times
        [ step backward, points at own piece ],
    win.
