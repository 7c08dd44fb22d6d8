dimensions (3, 3)
pieces {
    mark 'X'
    man '.' 'm'
    king 'K' 'm'
    neutral stone 's' 'S'
}
main = find empty field, replace by mark, find man, find king, find stone.
