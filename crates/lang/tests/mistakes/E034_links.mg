dimensions (3, 3)
pieces { mark 'X' 'O' }
links {
    a1 north d3
    one way b9 south nowhere
}
main = find empty field, replace by mark, cycle (a1, b2, a1, c4).
