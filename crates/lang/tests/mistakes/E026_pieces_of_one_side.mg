dimensions (3, 3)
pieces
{
    white fox 'F' 'f'
    hound 'h'
}
main = find own fox, replace by hound.
