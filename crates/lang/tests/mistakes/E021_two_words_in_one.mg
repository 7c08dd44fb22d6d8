dimensions (3, 3)
pieces { mark 'X' 'O' }
main = find own mark, pick up, north, step, putdown, try [ whte to move, win ].
