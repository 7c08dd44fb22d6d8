# title: Sokoban
# family: puzzle
# origin: Hiroyuki Imabayashi, 1981; levels 1 to 20 of Microban by David W. Skinner
# rules: The keeper walks one field at a time and pushes a box that stands before him if the field behind it is
#   free; he cannot pull, nor push two boxes. The puzzle is solved when every box is on a goal.
# not covered: fields outside the walls are drawn empty, no piece gets there
# checked: shortest solutions of the levels, in moves: 33, 16, 41, 23, 25, 107, 26, 97, 30, 89, 78, 49, 52, 51, 37, 100,
#   25, 71, 41, 50; fewest pushes as published beside them

players = 1
dimensions (12, 12)

pieces
{
    wall '#'
    keeper '@'
    keeper_on_goal '+'
    box '$'
    box_on_goal '*'
    goal 'o'
}

# What `multigame solve sokoban --cost pushes` makes as few of as can be.
properties
{
    pushes : move : [0 .. 1]
}

# How many moves are left at least: each box that is not on a goal takes a push. One in a corner of walls, or in a
# square with walls and boxes on the other three fields, never moves again.
evaluation
{
    left : 1 = find box.
    cornered : 1000 = find box, orthogonal, test [ step, points at wall ], test [ turn 90, step, points at wall ].
    jammed : 1000 = find box,
        orthogonal,
        test [ step, blocked ],
        test [ turn 45, step, blocked ],
        test [ turn 90, step, blocked ].
}

finished
{
    not find box, win.
}

setup level_1
{
    ####........
    #.o#........
    #..###......
    #*@..#......
    #..$.#......
    #..###......
    ####........
    ............
    ............
    ............
    ............
    ............
}

setup level_2
{
    ######6/#4#6/#1#@1#6/#1$*1#6/#1o*1#6/#4#6/######6/12/12/12/12/12
}

setup level_3
{
    2####6/###2####3/#5$1#3/#1#2#$1#3/#1o1o#@1#3/#########3/12/12/12/12/12/12
}

setup level_4
{
    ########4/#6#4/#1o**$@#4/#6#4/#####2#4/4####4/12/12/12/12/12/12
}

setup level_5
{
    1#######4/1#5#4/1#1o$o1#4/##1$@$1#4/#2o$o1#4/#6#4/########4/12/12/12/12/12
}

setup level_6
{
    ######1#####/#4###3#/#1$$5#@#/#1$1#ooo3#/#3########/#####7/12/12/12/12/12/12
}

setup level_7
{
    #######5/#5#5/#1o$o1#5/#1$o$1#5/#1o$o1#5/#1$o$1#5/#2@2#5/#######5/12/12/12/12
}

setup level_8
{
    2######4/2#1oo@#4/2#1$$1#4/2##1###4/3#1#6/3#1#6/####1#6/#4##5/#1#3#5/#3#1#5/###3#5/2#####5
}

setup level_9
{
    #####7/#o2##6/#@$$1#6/##3#6/1##2#6/2##o#6/3###6/12/12/12/12/12
}

setup level_10
{
    6#####1/6#o2#1/6#o#1#1/#######o#1#1/#1@1$1$1$1#1/#1#1#1#1###1/#7#3/#########3/12/12/12/12
}

setup level_11
{
    2######4/2#4#4/2#1##@##3/###1#1$1#3/#1oo#1$1#3/#7#3/#2######3/####8/12/12/12/12
}

setup level_12
{
    #####7/#3##6/#1$2#6/##1$1####3/1###@o2#3/2#2o#1#3/2#5#3/2#######3/12/12/12/12
}

setup level_13
{
    ####8/#o1##7/#o@1#7/#o1$#7/##$1###5/1#1$2#5/1#4#5/1#2###5/1####7/12/12/12
}

setup level_14
{
    #######5/#5#5/#1#1#1#5/#o1$*@#5/#3###5/#####7/12/12/12/12/12/12
}

setup level_15
{
    5###4/######@##3/#4o*1#3/#3#3#3/#####$#1#3/4#3#3/4#####3/12/12/12/12/12
}

setup level_16
{
    1####7/1#2####4/1#5##3/##1##3#3/#o1o#1@$##2/#3#1$$1#2/#2o#4#2/##########2/12/12/12/12
}

setup level_17
{
    #####7/#1@1#7/#ooo#7/#$$$##6/#4#6/#4#6/######6/12/12/12/12/12
}

setup level_18
{
    #######5/#5#5/#o1o2#5/#1##1##5/#2$1#6/###$1#6/2#@1#6/2#2#6/2####6/12/12/12
}

setup level_19
{
    ########4/#3oo1#4/#2@$$1#4/#####1##4/3#2#5/3#2#5/3#2#5/3####5/12/12/12/12
}

setup level_20
{
    #######5/#5###3/#2@$$oo#3/####1##1#3/2#5#3/2#2####3/2#2#6/2####6/12/12/12/12
}

main = go, try [ not find box, win ].

go = either [ find keeper, name field, replace by empty field ]
    or [ find keeper_on_goal, name field, replace by goal ],
    orthogonal,
    step,
    name field,
    try push,
    either [ points at empty field, replace by keeper ] or [ points at goal, replace by keeper_on_goal ].

# The box goes on by one field; the finger stays on the field it leaves.
push = either [ points at box, replace by empty field ] or [ points at box_on_goal, replace by goal ],
    step,
    either [ points at empty field, replace by box ] or [ points at goal, replace by box_on_goal ],
    assign (pushes = 1),
    step backward.

blocked = either points at wall or points at box or points at box_on_goal.

# perft: 3, 9, 23, 66, 169, 489
