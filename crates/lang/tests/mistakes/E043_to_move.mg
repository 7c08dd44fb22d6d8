players = 1
dimensions (3, 3)
pieces { mark 'X' }
evaluation {
    to move : 5.
    marks : 1 = find own mark.
}
setup {
    ...
    ...
    ...
}
main = try [ find empty field, replace by mark ] else win.
