# Connect-4 on 7x5 fields; the rules are those of games/connect4.mg, without an evaluation.

dimensions (7, 5)
sides = 1

pieces
{
    mark 'X' 'O'
}

setup
{
    .......
    .......
    .......
    .......
    .......
    white to move
}

main = try new_mark else draw.

new_mark = irreversible,
    find empty field,
    not [ south, step, points at empty field ],
    replace by mark,
    try [ four_in_a_row, win ].

four_in_a_row = test [
        any direction,
        optionally [ step, points at own mark ],
        repeat 3 times [ step backward, points at own mark ],
    ].

# perft: 7, 49, 343, 2401, 16807
