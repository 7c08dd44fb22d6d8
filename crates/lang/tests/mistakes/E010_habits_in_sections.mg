// a comment
import random
dimensions = (3, 3)
dimensions 3 x 3
pieces = { mark 'X' 'O' }
properties { total = 0 }
properties
{
    count : int : [0 .. 3]
}
main: find empty field.
