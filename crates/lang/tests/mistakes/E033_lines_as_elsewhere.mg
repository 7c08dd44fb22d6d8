dimensions (3, 3)
pieces { man 'M' 'm' }
setup
{
    white man a1
    black man c3
}
setup first { m..
    ...
    ..M
}
setup turn
{
    m..
    ...
    ..M
    turn = white
}
setup colon
{
    m..
    ...
    ..M
    to move: black
}
main = find own man, replace by empty field.
