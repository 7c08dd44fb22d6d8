dimensions (3, 3)
pieces { mark 'X' 'O' }
setup
{
    X__
    ._.
    ?.O
}
main = find own mark, replace by stone.
