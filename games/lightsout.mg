# title: Lights Out
# family: puzzle
# origin: Tiger Electronics, 1995
# rules: Twenty-five lights form a square. Pressing one switches it and its orthogonal neighbours on or off. The
#   puzzle is solved when all lights are off.
# not covered: nothing
# checked: patterns by distance from darkness (by linear algebra): 1, 25, 300, 2300, 12650, 53130, 176176, 467104,
#   982335, …, 7350

players = 1
dimensions (5, 5)

pieces
{
    light '*'
}

# At least so many moves are left.
evaluation
{
    left : (number of light + 4) / 5 = move to (1, 1).
}

finished
{
    not find light, win.
}

setup
{
    *****
    *****
    *****
    *****
    *****
}

setup dark
{
    .....
    .....
    .....
    .....
    .....
}

main = find any field,
    name field,
    switch,
    north,
    repeat 4 times [ try [ step, switch, step backward ], turn 90 ],
    try [ not find light, win ].

switch = try [ points at light, replace by empty field ] else replace by light.

# perft: 25, 625, 15625
