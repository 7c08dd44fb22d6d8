dimensions (3, 3)
sides = 1
pieces { stone 'X' 'O' }

main = either [ find empty field, find empty field, replace by stone ]
    or [ find own stone, find opponent's stone, replace by stone ]
    or [ find own stone, pick up, find empty field, put down ].
