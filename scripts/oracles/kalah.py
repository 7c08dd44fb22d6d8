#!/usr/bin/env python3
"""Perft of kalah from OpenSpiel's mancala, a whole turn (all its sowings) being one move.

Needs `pip install open_spiel` (2.0.2 made the counts in games/kalah.mg: 10, 116, 1022, 9682).
"""

from openspiel import Kalah


def perft(game, depth):
    if game.state.is_terminal():
        return 0
    turns = game.moves().values()
    if depth == 1:
        return len(turns)
    here, leaves = game.state, 0
    for turn in turns:
        game.state = here.clone()
        game.play(turn)
        leaves += perft(game, depth - 1)
    game.state = here
    return leaves


if __name__ == "__main__":
    start = Kalah()
    start.begin()
    print([perft(start, depth) for depth in range(1, 5)])
