dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, pick up, north, east, step, put down.
