#!/usr/bin/env python3
"""Perft of Chess960 start positions by python-chess, for the setups of games/chess960.mg.

    chess960.py DEPTH NUMBER…           prints the arrangement and perft 1 to DEPTH for each number (0 to 959)
    chess960.py names COUNT COMMAND…    compares the legal moves of a UCI engine, castling as the king that takes its
                                        rook, in COUNT positions of random games where somebody may castle

Needs `pip install chess` (python-chess 1.11.2 made the recorded counts).
"""

import random
import sys

import chess

from compare import Tally, finish, some
from multigame import Uci


def perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += perft(board, depth - 1)
        board.pop()
    return leaves


def positions(count, rng):
    """Positions with castling rights, half of them with less on the first rows so that castling is possible."""
    found = 0
    while found < count:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        for _ in range(rng.randrange(60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        board = board.root() if board.is_game_over() else board.copy(stack=False)
        if rng.random() < 0.5:
            for square in chess.SquareSet(chess.BB_RANK_1 | chess.BB_RANK_8):
                if board.piece_type_at(square) in (chess.KNIGHT, chess.BISHOP, chess.QUEEN) and rng.random() < 0.8:
                    board.remove_piece_at(square)
        if board.clean_castling_rights() and board.is_valid():
            found += 1
            yield board


def compare_names(count, command):
    tally, castlings = Tally(), 0
    with Uci(command) as engine:
        engine.send("setoption name UCI_Chess960 value true")
        for number, board in enumerate(positions(count, random.Random(1))):
            # Both forms of castling rights in turn.
            fen = board.fen(shredder=number % 2 == 0)
            engine.send(f"position fen {fen}")
            ours, theirs = set(engine.describe()[1]), {board.uci(move) for move in board.legal_moves}
            castlings += sum(board.is_castling(move) for move in board.legal_moves)
            tally.games += 1
            tally.positions += 1
            if ours != theirs:
                tally.differ(f"{fen}: only ours {some(ours - theirs)}, only python-chess {some(theirs - ours)}")
    print(f"{castlings} castling moves")
    finish(tally)


if sys.argv[1] == "names":
    compare_names(int(sys.argv[2]), sys.argv[3:])

for number in map(int, sys.argv[2:]):
    board = chess.Board.from_chess960_pos(number)
    counts = [perft(board, depth) for depth in range(1, int(sys.argv[1]) + 1)]
    print(number, board.fen().split("/")[0], *counts)
