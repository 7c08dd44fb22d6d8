dimensions (3, 3)
sides = 1
pieces { king 'K' 'k' }

main = either leap or [ find own king, pick up, onwards ] or twice or [ find own king, by_turns ].

leap = find own king, north, step, points at empty field, put down.

twice = find own king, pick up, east, step, pick up, put down.

# Both ways are possible here.
onwards = east, step, optionally put_down.

put_down = put down.

by_turns = pick up, east, step, put down, west, step, pick up, put down.
