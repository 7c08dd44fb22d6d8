#!/usr/bin/env python3
"""Positions of random games as other programs write them: `multigame uci` must read each one, write the same line
again, and agree whether the game is over there.

    positions.py [--program PATH] [--games N] [--seed N] [GAME ...]

Needs `pip install chess pyffish`. Random games are played by python-chess or pyffish; each of their positions is sent
with `position fen`, and `d` answers. Repetition and claims of draws are left out: a position does not know its past.
The exit status is 1 if anything differs. A run over all games takes about a minute.
"""

import argparse
import random
import subprocess
import sys

import chess
import chess.variant
import pyffish

PYTHON_CHESS = {"chess": "chess", "kingofthehill": "kingofthehill", "threecheck": "3check", "horde": "horde",
                "racingkings": "racingkings", "antichess": "antichess", "atomic": "atomic"}
PYFFISH = {"minishogi": "minishogi", "dobutsu": "dobutsu", "shatranj": "shatranj", "capablanca": "capablanca",
           "gardner": "gardner", "losalamos": "losalamos"}
# Their players count no moves without captures, and neither do our rules: we write 0 there.
UNCOUNTED = ("minishogi", "dobutsu")
PLIES_MAX = 120


def with_python_chess(variant, random):
    """FENs with how many moves there are."""
    board = chess.variant.find_variant(variant)()
    for _ in range(PLIES_MAX):
        over = board.is_variant_end() or board.halfmove_clock >= 100
        moves = [] if over else list(board.legal_moves)
        yield board.fen(), len(moves)
        if not moves:
            return
        board.push(random.choice(moves))


def with_pyffish(variant, random):
    fen = pyffish.get_fen(variant, pyffish.start_fen(variant), [])
    for _ in range(PLIES_MAX):
        over = pyffish.is_immediate_game_end(variant, fen, [])[0]
        moves = [] if over else pyffish.legal_moves(variant, fen, [])
        yield fen, len(moves)
        if not moves:
            return
        fen = pyffish.get_fen(variant, fen, [random.choice(moves)])


def without_clock(fen):
    words = fen.split()
    return " ".join([*words[:4], "0", *words[5:]])


def answers(program, game, lines):
    """What our program writes for each line, and how many moves it has there."""
    text = "".join(f"position fen {fen}\nd\n" for fen, _ in lines) + "quit\n"
    run = subprocess.run([program, "uci", game], input=text, capture_output=True, text=True, check=True)
    shown = [line for line in run.stdout.splitlines() if line.startswith(("Fen: ", "Legal moves:"))]
    fens = [line.removeprefix("Fen: ") for line in shown[0::2]]
    moves = [len(line.removeprefix("Legal moves:").split()) for line in shown[1::2]]
    return list(zip(fens, moves))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", default="target/release/multigame")
    arguments.add_argument("--games", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("game", nargs="*")
    options = arguments.parse_args()
    wrong = 0
    for game in options.game or [*PYTHON_CHESS, *PYFFISH]:
        chance = random.Random(options.seed)
        if game in PYTHON_CHESS:
            played = [with_python_chess(PYTHON_CHESS[game], chance) for _ in range(options.games)]
        else:
            played = [with_pyffish(PYFFISH[game], chance) for _ in range(options.games)]
        lines = [line for one in played for line in one]
        if game in UNCOUNTED:
            lines = [(without_clock(fen), moves) for fen, moves in lines]
        found = answers(options.program, game, lines)
        pairs = zip(lines, found)
        differ = [(line, own) for line, own in pairs if line[0] != own[0] or (line[1] == 0) != (own[1] == 0)]
        if len(found) != len(lines):
            differ.append((("all", len(lines)), ("answered", len(found))))
        print(f"{game}: {len(lines)} positions, {len(differ)} differ")
        for line, own in differ[:3]:
            print(f"  {line[0]} ({line[1]} moves)\n  {own[0]} ({own[1]} moves)")
        wrong += len(differ)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
