dimensions (3, 3)
pieces { mark 'X' 'O' }
evaluation {
    to move : 5.
    to move : -number of own mark.
    to move 7.
}
setup {
    ...
    ...
    ...
}
main = try [ find empty field, replace by mark ] else draw.
