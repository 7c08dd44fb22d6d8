dimensions (3, 3)
pieces { mark 'X' 'O' }
Main = find own mark.
