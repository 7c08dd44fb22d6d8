dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, third (2).
third (count) = nothing.
