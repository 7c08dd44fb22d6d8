#!/usr/bin/env python3
"""Move counts of minishogi positions from a program made by others, for crates/rules/tests/all/library/minishogi.perft.

    minishogi.py COUNT [SEED]    prints `position | perft 1 | perft 2` for positions of random games

Needs `pip install pyffish` (pyffish 0.0.90 made the recorded counts). Fairy-Stockfish lets a dropped pawn mate in
minishogi; such drops are taken out here. Positions in which one was taken out come first, and are all printed.
"""

import random
import sys

import pyffish

from positions import without_pawn_mates

VARIANT = "minishogi"


def moves(fen):
    return without_pawn_mates(VARIANT, fen, [])


def perft(fen, depth):
    legal = moves(fen)
    if depth == 1:
        return len(legal)
    return sum(perft(pyffish.get_fen(VARIANT, fen, [move]), depth - 1) for move in legal)


def position(choose):
    """A position of a random game in which there is a move."""
    while True:
        fen = pyffish.start_fen(VARIANT)
        for _ in range(choose.randrange(8, 80)):
            if not moves(fen):
                break
            fen = pyffish.get_fen(VARIANT, fen, [choose.choice(moves(fen))])
        if moves(fen):
            return fen


def main():
    count = int(sys.argv[1])
    choose = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 7)
    found = [position(choose) for _ in range(count)]
    found.sort(key=lambda fen: len(moves(fen)) == len(pyffish.legal_moves(VARIANT, fen, [])))
    for fen in found:
        print(" ".join(fen.split()[:2]), perft(fen, 1), perft(fen, 2), sep=" | ")


main()
