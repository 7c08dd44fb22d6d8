dimensions (3, 3)
sides = 1
pieces { king 'K' 'k' }

main = either [ find own king, pick up, step, put down ]
    or [ find own king, pick up, north, one_step, put down ]
    or [ find own king, pick up, one_step, put down ].

# One of the ways here has a direction.
one_step = step, points at empty field.
