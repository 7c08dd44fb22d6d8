dimensions (3, 3)
pieces { mark 'X' 'O' }
properties
{
    count : move : [0 .. 9]
}
main = either at_once or counted or called or rightly.
at_once = while find own mark do step.
counted = find empty field, do nothing while [ find own mark, assert (row == 1) ], replace by mark.
called = while some_mark do look.
some_mark = find own mark.
look = any direction, step.
# These change what is found.
rightly = while find own mark do replace by empty field, while [ find empty field, assert (count < 3) ] do tally.
tally = assign (count++).
