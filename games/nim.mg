# title: Nim
# family: counting
# origin: ancient; solved by Charles Bouton, 1901
# rules: Three heaps of three, five and seven matches lie in rows. A player takes any number of matches from one row.
#   The player who takes the last match wins.
# not covered: the misère form, in which the last match loses
# checked: won by the first player exactly where the exclusive or of the heaps is not zero (Bouton), in the tests

dimensions (7, 3)
sides = 1

pieces
{
    neutral match_stick '|'
}

setup
{
    |||....
    |||||..
    |||||||
    white to move
}

# A match and all to the right of it.
main = try [
        irreversible,
        find match_stick,
        replace by empty field,
        east,
        while [ step, points at match_stick ] do replace by empty field,
    ] else loss.

# perft: 15, 176, 1588, 10986
