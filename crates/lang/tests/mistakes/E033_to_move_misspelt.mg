dimensions (3, 3)
pieces { mark 'X' 'O' }
properties { lives : board : [0 .. 3] }
setup
{
    X..
    .O.
    ...
    white to mvoe
    black begins
    lives: 3
}
main = find empty field, replace by mark, assign (lives = 1).
