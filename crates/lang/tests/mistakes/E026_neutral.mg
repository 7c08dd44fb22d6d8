dimensions (4, 4)
pieces
{
    man 'M' 'm'
    neutral wall '#' '#'
    block '%' '%'
    neutral gap '.'
}
setup
{
    m.#.
    .%..
    .?..
    ...M
}
main = find own man, pick up, any direction, step, put down.
