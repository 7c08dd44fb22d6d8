dimensions (3, 3)
pieces = man, king
setup
{
    m..
    ...
    ..M
}
main = find own man, replace by empty field.
