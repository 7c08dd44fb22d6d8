dimensions (3, 3)
pieces { mark "X" "O" }
setup
{
    X..
    .O.
    ...
}
main = find empty field, replace by mark.
