dimensions (3, 3)
pieces { mark 'X' 'O' }
main = either occupied_field or edge_field or corner_field or named_field.
occupied_field = find own mark, north, step, points at occupied, replace by mark.
edge_field = find own mark, points at edge, replace by mark.
corner_field = find own mark, points at corner, replace by mark.
named_field = find own mark, points at b3, replace by mark.
