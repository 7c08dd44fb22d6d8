# title: Dobutsu shogi
# family: chess
# origin: Madoka Kitao and Maiko Fujita, 2008; "animal chess"
# rules: The lion moves one field in any direction, the giraffe orthogonally, the elephant diagonally, the chick
#   forward; a chick that walks to the last row becomes a hen, which moves like a lion but not diagonally backward.
#   Captured animals change sides and may be put on an empty field instead of a move. Who captures the lion wins,
#   and so does a lion on the last row that cannot be captured there at once.
# not covered: nothing
# checked: perft 1-5: 4, 17, 123, 976, 8122 (Fairy-Stockfish)

dimensions (3, 4)

pieces
{
    lion 'L' 'l'
    giraffe 'G' 'g'
    elephant 'E' 'e'
    chick 'C' 'c'
    hen 'H' 'h'
}

properties
{
    giraffes, elephants, chicks : player : [0 .. 2]
}

repetition draw after 3

setup
{
    gle
    .c.
    .C.
    ELG
    white to move
}

main = try either walk or drop else loss.

walk = either [ find own lion, pick up, any direction, go, try [ assert (row == 4), not attacked, win ] ]
    or [ find own giraffe, pick up, orthogonal, go ]
    or [ find own elephant, pick up, diagonal, go ]
    or [ find own chick, name field, pick up, north, go, name field,
        try [ assert (row == 4), replace by hen, name "+" ] ]
    or [ find own hen, pick up, hen_direction, go ].

hen_direction = either orthogonal or northwest or northeast.

go = step, not points at own piece, try capture, put down.

capture = try [ points at opponent's lion, win ]
    else try [ points at opponent's giraffe, assign (giraffes++) ]
    else try [ points at opponent's elephant, assign (elephants++) ]
    else [ points at opponent's piece, assign (chicks++) ].

drop = either [ assert (giraffes), assign (giraffes--), find empty field, replace by giraffe ]
    or [ assert (elephants), assign (elephants--), find empty field, replace by elephant ]
    or [ assert (chicks), assign (chicks--), find empty field, replace by chick ],
    name piece "@" field.

# On the last row nothing attacks from the front.
attacked = test either
    [ any direction, step, points at opponent's lion ]
    or [ orthogonal, step, points at opponent's giraffe ]
    or [ diagonal, step, points at opponent's elephant ]
    or [ orthogonal, step, points at opponent's hen ].
