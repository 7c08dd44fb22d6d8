dimensions (3, 3)
pieces { mark 'X' 'O' }
# Brackets are missing around what belongs together.
main = either one, two or three.
one = try find empty field, replace by mark else draw.
two = either find mark or find empty field, replace by mark or nothing.
three = find mark, while step, points at mark do nothing.
