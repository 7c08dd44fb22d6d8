dimensions (8, 8)
sides = 1
pieces { stone 'X' 'O' }

main = find own stone, pick up, any direction, either jumps or marks or enough, put down.

jumps = step, points at opponent's stone, step, points at empty field, jumps.

marks = step, points at empty field, onwards.

onwards = step, either marks or [ step, marks ].

enough = step, points at empty field, optionally enough.
