dimensions (3, 3)
pieces
{
    man 'M' 'm'
    neutral wall '#'
}
setup
{
    3   m.#
    2   ...
    1   ..M
}
setup framed
{
    m.#|
    ...|
    ..M|
}
setup letters
{
    m.#
    ...
    ..M
    abc
}
setup lines
{
    +---+
    m.#
    ...
    ..M
}
setup apart
{
    m . #
    . . .
    . . M
}
main = find own man, pick up, any direction, step, put down.
