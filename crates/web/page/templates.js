// @ts-check
// Rules to begin with.

export const TEMPLATES = {
  "Three in a row": `# title: Three in a row

dimensions (3, 3)
sides = 1

pieces
{
    mark 'X' 'O'
}

setup
{
    ...
    ...
    ...
    white to move
}

main = try [ find empty field, replace by mark, try [ three, win ] ] else draw.

three = test [
        any direction,
        while step do nothing,
        points at own mark,
        repeat 2 times [ step backward, points at own mark ],
    ].
`,
  "A race of pawns": `# title: A race of pawns

dimensions (5, 5)

pieces
{
    pawn 'P' 'p'
}

setup
{
    ppppp
    .....
    .....
    .....
    PPPPP
    white to move
}

main = try [ go, try [ assert (row == 5), win ] ] else loss.

go = find own pawn,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, points at opponent's pawn ],
    put down.
`,
  "Pieces that slide": `# title: Sliders

dimensions (6, 6)
sides = 1

pieces
{
    rook 'R' 'r'
    king 'K' 'k'
}

repetition draw after 3

setup
{
    r....k
    ......
    ......
    ......
    ......
    K....R
    white to move
}

main = try [ assert (number of own king), go ] else loss.

go = either [ find own rook, pick up, orthogonal, either glide or strike, put down ]
    or [ find own king, pick up, any direction, step, either points at empty field or points at opponent's piece, put down ].

glide = repeat 1 .. infinity times [ step, points at empty field ].

strike = do step while points at empty field, points at opponent's piece.
`,
  "A sliding puzzle": `# title: Sliding puzzle

players = 1
dimensions (3, 2)

pieces
{
    tile_1 '1'
    tile_2 '2'
    tile_3 '3'
    tile_4 '4'
    tile_5 '5'
}

setup
{
    142
    3.5
}

main = find empty field,
    orthogonal,
    step,
    points at any piece,
    pick up,
    step backward,
    put down,
    try [ solved, win ].

solved = match (empty field, tile_1, tile_2, tile_3, tile_4, tile_5).
`,
};
