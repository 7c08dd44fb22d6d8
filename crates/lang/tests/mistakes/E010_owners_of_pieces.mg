dimensions (4, 4)
pieces
{
    pawn white 'P' black 'p'
    man black 'm' white 'M'
    wall neutral '#'
    keeper white 'K'
}
main = find own pawn, pick up, any direction, step, put down.
