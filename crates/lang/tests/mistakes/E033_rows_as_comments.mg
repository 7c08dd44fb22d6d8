dimensions (5, 3)
sides = 1
pieces { goose 'g' 'G' }
properties { walls : player : [0 .. 10] }
setup
{
    #ggg#
    .....
    #GGG#
    walls white = 10
}

main = find own goose, pick up, any direction, step, put down, assign (walls -= 1), assert (walls > 0).
