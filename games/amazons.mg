# title: Amazons
# family: territory
# origin: Walter Zamkauskas, 1988
# rules: An amazon moves like a queen in chess, over empty fields only, and then shoots an arrow that flies in the
#   same way. The field where it lands is blocked for the rest of the game. A player who cannot move loses.
# not covered: nothing
# checked: perft 1-2 (Fairy-Stockfish): 2176, 4307152

dimensions (10, 10)
sides = 1

pieces
{
    amazon 'Q' 'q'
    neutral arrow '*'
}

setup
{
    ...q..q...
    ..........
    ..........
    q........q
    ..........
    ..........
    Q........Q
    ..........
    ..........
    ...Q..Q...
    white to move
}

main = try [ irreversible, find own amazon, pick up, fly, put down, fly, replace by arrow ] else loss.

fly = any direction, repeat 1 .. infinity times [ step, points at empty field ].

# perft: 2176
