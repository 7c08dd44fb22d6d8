# title: Dobutsu shogi
# family: chess
# origin: Madoka Kitao and Maiko Fujita, 2008; "animal chess"
# rules: The lion moves one field in any direction, the giraffe orthogonally, the elephant diagonally, the chick
#   forward; a chick that walks to the last row becomes a hen, which moves like a lion but not diagonally backward.
#   Captured animals change sides and may be put on an empty field instead of a move. A player who captures the lion
#   wins, and so does a lion on the last row that nothing attacks there, whichever piece moved.
# not covered: nothing
# checked: perft 1-5: 4, 17, 123, 976, 8122 (Fairy-Stockfish); endings against it

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
    # The game is over when a lion is taken.
    lions : player : [0 .. 1]
}

repetition draw after 3

notation
{
    hands lion lions, giraffe giraffes, chick chicks, elephant elephants
    promoted hen chick
    fixed '-'
    fixed '-'
    fixed '0'
    counter
}

possible
{
    "no player can have two lions, and the player who has just moved must have one" =
        assert (number of own lion == 1 && number of opponent's lion < 2).
}

finished
{
    try [ not find opponent's lion, win ] else lion_at_the_end.
}

setup
{
    gle
    .c.
    .C.
    ELG
    white to move
}

main = try [ either walk or drop, try lion_at_the_end ] else loss.

# A lion on its last row wins if nothing attacks it, whichever side moved last.
lion_at_the_end = try [ find own lion, assert (row == 4), not attacked, win ]
    else [ find opponent's lion, assert (row == 1), not threatened, loss ].

walk = either [ find own lion, pick up, any direction, go ]
    or [ find own giraffe, pick up, orthogonal, go ]
    or [ find own elephant, pick up, diagonal, go ]
    or [ find own chick, name field, pick up, north, go, name field,
        try [ assert (row == 4), replace by hen, name "+" ] ]
    or [ find own hen, pick up, hen_direction, go ].

hen_direction = either orthogonal or northwest or northeast.

go = step, not points at own piece, try capture, put down.

capture = try [ points at opponent's lion, assign (lions++), win ]
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

# The same for the opponent's lion on its last row.
threatened = test either
    [ any direction, step, points at own lion ]
    or [ orthogonal, step, points at own giraffe ]
    or [ diagonal, step, points at own elephant ]
    or [ orthogonal, step, points at own hen ].

# perft: 4, 17, 123, 976, 8122
