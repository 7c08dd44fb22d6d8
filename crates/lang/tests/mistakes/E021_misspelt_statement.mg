dimensions (3, 3)
pieces { mark 'X' 'O' }
main = fnd empty field, replaced by mark.

forgotten = step main step.
