dimensions (3, 3)
pieces {
    mark 'X' 'O'
    stone 's' 'S'
    ghost 'g' 'G'
}
setup {
    s..
    ...
    ...
}
main = find own piece, replace by mark.
