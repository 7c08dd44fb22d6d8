dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find empty field, slide, replace by mark.

slide = either step or [ points at mark, north, turned ].

turned = try nothing, optionally step, slide.

again = test again.
