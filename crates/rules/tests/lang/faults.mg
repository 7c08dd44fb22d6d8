# What goes wrong only when rules run.
players = 1
dimensions (6, 1)

pieces
{
    range 'r'
    zero 'z'
    element 'e'
    nowhere 'n'
    silent_main 's'
    results 'x'
}

properties
{
    p : board : [0 .. 3]
    q : move  : [0 .. 2000000]
}

tables
{
    t = 1, 2
}

main = either [ test find range, assign (p = p + 4) ]
    or [ test find zero, assign (p = 1 / p) ]
    or [ test find element, assert (t[2]) ]
    or [ test find nowhere, assert (column) ]
    or [ test find results, repeat 20 times [ either assign (q = q * 2 % 1048576) or assign (q = (q * 2 + 1) % 1048576) ] ].

# position: r.....
# fault: 4 is out of range for `p`
# position: z.....
# fault: division by zero
# position: e.....
# fault: no element 2
# position: n.....
# fault: the finger points nowhere
# position: s.....
# fault: no legal move and no outcome
# position: x.....
# fault: more than 1000000 results
