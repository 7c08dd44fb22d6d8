# Every extension of the language once: no game that anybody would play.

players = 2
dimensions (4, 3)
sides = 1

pieces {
    man 'm' 'w'
    king 'K' 'Q'
    neutral stone '#'
}

properties {
    stones : field : [0 .. 48]
    taken : player : [0 .. 3]
    clock : board : [0 .. 100] silent below 90
    right_to_castle : player : [0 .. 1]
    passant : board : [0 .. 4]
    path : move : [0 .. 0xFFFFFFFF]
}

tables {
    worth = 1, 2, -3
        4, 5
    distance = -1, 0, 1
}

links {
    a1 southwest b3
    one way b3 north nowhere
}

setup {
    mm..
    .#w.
     QK.
    white to move
    white taken = 1
}

repetition draw after 3

notation {
    flags 'K' white right_to_castle, 'Q' black right_to_castle
    square (passant, 3)
    number clock
    counter
}

evaluation {
    material : worth[2] + 3 * taken - opponent's taken = find own piece.
    mobility : 1 = find own man,
        any direction,
        step.
}

main = either jump or [ slide, quiet ] or pass.

jump = most (taken + number of own king) [
        find own man,
        pick up,
        diagonal,
        repeat 1 .. infinity times [
            step,
            points at opponent's piece,
            replace by empty field,
            assign (taken += 1, path = path * 8 + direction, stones -= 1),
            assert (clock < 90 && !(stones == -1) || - -taken > distance[0]),
        ],
        put down,
    ], forcing, try promote.

slide = find own man,
    pick up,
    north,
    step,
    points at empty field,
    put down,
    assign (clock++, passant = column),
    try [ assert (passant ? place : row), score (taken - 1) ].

promote = assert (row == 3), replace by king, cycle (a1, b2, c3), irreversible.

pass = turn -90, not find opponent's man, draw.
