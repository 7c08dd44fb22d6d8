dimensions (3, 3)
pieces { man 'M' }
setup
{
    m..
    ...
    ..M
}
main = find own man, replace by empty field.
