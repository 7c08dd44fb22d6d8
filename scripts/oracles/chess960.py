#!/usr/bin/env python3
"""Perft of Chess960 start positions by python-chess, for the setups of games/chess960.mg.

    chess960.py DEPTH NUMBER…    prints the arrangement and perft 1 to DEPTH for each number (0 to 959)

Needs `pip install chess` (python-chess 1.11.2 made the recorded counts).
"""

import sys

import chess


def perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += perft(board, depth - 1)
        board.pop()
    return leaves


for number in map(int, sys.argv[2:]):
    board = chess.Board.from_chess960_pos(number)
    counts = [perft(board, depth) for depth in range(1, int(sys.argv[1]) + 1)]
    print(number, board.fen().split("/")[0], *counts)
