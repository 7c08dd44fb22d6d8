dimensions (3, 3)
pieces { mark 'X' 'O' }

finished
{
    find own mark, row_of_three.
}

main = try [ find empty field, replace by mark, try [ row_of_three, win ] ] else draw.

row_of_three = test [ any direction, repeat 2 times [ step, points at own mark ] ].
