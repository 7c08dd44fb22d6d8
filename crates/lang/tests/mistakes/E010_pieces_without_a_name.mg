dimensions (3, 3)
pieces
{
    white 'M'
    black 'm'
    neutral '#'
}
setup
{
    m.#
    ...
    ..M
}
main = find own man, replace by empty field.
