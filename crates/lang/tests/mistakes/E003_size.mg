dimensions 8x8
pieces { mark 'X' 'O' }
main = find own mark.
