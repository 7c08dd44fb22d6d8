dimensions (3, 3)

pieces
{
    man 'M' 'm'
}

appearance
{
    board : hexagon
    edges : whte north, black up
    man : disk, red, blue, green, 'X'
    king : crowned
}

main = find own man.
