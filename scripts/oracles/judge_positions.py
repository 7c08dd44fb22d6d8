#!/usr/bin/env python3
"""Quiet positions of chess games with their worth by Stockfish, for `multigame fit chess FILE`.

    judge_positions.py GAMES.pgn [DEPTH] > positions.epd

Left out: the first 8 plies, a fifth by chance, checks, captures (played or best), best moves that give check, mates,
and more than 1,200 centipawns. Needs `pip install chess` and Stockfish (Debian's 15.1 made the positions of
games/chess.mg, to depth 8).
"""

import random
import shutil
import sys

import chess
import chess.engine
import chess.pgn


def is_quiet(board, move):
    return not board.is_check() and not board.is_capture(move) and not move.promotion


def main():
    depth = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    program = shutil.which("stockfish") or "/usr/games/stockfish"
    engine = chess.engine.SimpleEngine.popen_uci(program)
    engine.configure({"Threads": 1, "Hash": 16})
    seen, number = set(), 0
    with open(sys.argv[1], encoding="utf-8") as games:
        while game := chess.pgn.read_game(games):
            number += 1
            rng, board = random.Random(number), game.board()
            for ply, move in enumerate(game.mainline_moves()):
                wanted = ply >= 8 and is_quiet(board, move) and rng.random() < 0.8
                if wanted and board.epd() not in seen:
                    seen.add(board.epd())
                    judged = engine.analyse(board, chess.engine.Limit(depth=depth))
                    score, best = judged["score"].pov(board.turn), judged.get("pv", [None])[0]
                    quiet = best and not board.is_capture(best) and not board.gives_check(best)
                    if quiet and not score.is_mate() and abs(score.score()) < 1200:
                        print(f"{board.epd()} ce {score.score()};", flush=True)
                board.push(move)
    engine.quit()


main()
