dimensions (3, 1)
properties { count : board : [0 .. 9] }
pieces { man 'M' 'm' }
setup
{
    M.m
    count = 2, white to move
}
main = find own man, assert (count > 1), pick up, any direction, step, put down.
