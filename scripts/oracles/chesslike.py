#!/usr/bin/env python3
"""Move counts of chess-like games from programs made by others, for crates/rules/tests/all/library/positions.perft.

    chesslike.py GAME < positions    prints `GAME | FEN | perft 1 | perft 2` for each FEN on standard input
    chesslike.py GAME --start DEPTH  prints perft 1 to DEPTH of the start position

Needs `pip install chess pyffish` (python-chess 1.11.2 and pyffish 0.0.90 made the recorded counts). A finished game
has no moves, and moves that lead to the same position count once. Lines that begin with a FEN may carry further
fields behind `;`: they are compared with the counts, so that a run says at once where two programs disagree.
"""

import sys

import chess
import chess.variant
import pyffish

# Name in games/: name for python-chess or None, name for pyffish or None.
GAMES = {
    "chess": ("chess", "chess"),
    "kingofthehill": ("kingofthehill", "kingofthehill"),
    "threecheck": ("3check", None),
    "horde": ("horde", "horde"),
    "racingkings": ("racingkings", "racingkings"),
    "antichess": ("antichess", "antichess"),
    "atomic": ("atomic", "atomic"),
    "losalamos": (None, "losalamos"),
    "gardner": (None, "gardner"),
    "makruk": (None, "makruk"),
    "shatranj": (None, "shatranj"),
    "xiangqi": (None, "xiangqi"),
    "minixiangqi": (None, "minixiangqi"),
    "capablanca": (None, "capablanca"),
    "jesonmor": (None, "jesonmor"),
    "dobutsu": (None, "dobutsu"),
    "isolation": (None, "isolation"),
    "foxandhounds": (None, "fox-and-hounds"),
    "breakthrough": (None, "breakthrough"),
    "clobber": (None, "clobber"),
    "amazons": (None, "amazons"),
    "ataxx": (None, "ataxx"),
}


class PythonChess:
    def __init__(self, name, fen=None):
        board = chess.variant.find_variant(name)
        self.board = board(fen) if fen else board()

    def key(self):
        return self.board.epd()

    def children(self):
        if self.board.is_variant_end():
            return
        for move in list(self.board.legal_moves):
            self.board.push(move)
            yield self
            self.board.pop()


class Pyffish:
    def __init__(self, name, fen=None):
        self.name, self.fen = name, fen or pyffish.start_fen(name)

    def key(self):
        return " ".join(self.fen.split()[:-2])

    def children(self):
        if pyffish.is_immediate_game_end(self.name, self.fen, [])[0]:
            return
        for move in pyffish.legal_moves(self.name, self.fen, []):
            yield Pyffish(self.name, pyffish.get_fen(self.name, self.fen, [move]))


def perft(state, depth):
    seen = set()
    total = 0
    for child in state.children():
        if child.key() in seen:
            continue
        seen.add(child.key())
        total += 1 if depth == 1 else perft(child, depth - 1)
    return total


def oracles(game, fen=None):
    names = GAMES[game]
    return [make(name, fen) for make, name in zip((PythonChess, Pyffish), names) if name]


def main():
    game = sys.argv[1]
    if "--start" in sys.argv:
        for oracle in oracles(game):
            counts = [perft(oracle, depth) for depth in range(1, int(sys.argv[-1]) + 1)]
            print(game, type(oracle).__name__, counts)
        return
    for line in sys.stdin:
        fen, *expected = line.strip().split(";")
        counts = [tuple(perft(oracle, depth) for depth in (1, 2)) for oracle in oracles(game, fen)]
        print(f"{game} | {fen} | " + " | ".join(str(count) for count in counts[0]))
        if len(set(counts)) > 1 or expected and tuple(map(int, expected)) != counts[0]:
            print(f"{fen}: {counts}, expected {expected}", file=sys.stderr)


if __name__ == "__main__":
    main()
