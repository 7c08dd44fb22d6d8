title "A game"
dimensions (3, 3)
players { white black }
pieces { mark 'X' 'O' }
sides (1)
main = find own mark.
mark-moves = nothing.
other := nothing.
