#!/usr/bin/env python3
"""Perft of kalah from OpenSpiel's mancala, a whole turn (all its sowings) being one move.

Needs `pip install open_spiel` (2.0.2 made the counts in games/kalah.mg: 10, 116, 1022, 9682).
"""

import pyspiel


def turns(state):
    """The different positions in which the mover's turn can end."""
    mover, ends, seen, open_states = state.current_player(), {}, set(), [state]
    while open_states:
        here = open_states.pop()
        for action in here.legal_actions():
            after = here.child(action)
            key = str(after)
            if key in seen:
                continue
            seen.add(key)
            if after.is_terminal() or after.current_player() != mover:
                ends["\n".join(key.splitlines()[:3])] = after
            else:
                open_states.append(after)
    return ends.values()


def perft(state, depth):
    if state.is_terminal():
        return 0
    ends = turns(state)
    return len(ends) if depth == 1 else sum(perft(end, depth - 1) for end in ends)


start = pyspiel.load_game("mancala").new_initial_state()
print([perft(start, depth) for depth in range(1, 5)])
