dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, pick up, either north, step, put down.
