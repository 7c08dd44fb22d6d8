#!/usr/bin/env python3
"""Games of draughts against py-draughts: the legal moves at every position of random games, and who wins.

    pydraughts.py [--program PATH] [--seconds N] [--games N] [--seed N] [GAME ...]

Needs `pip install py-draughts`. A move is where a piece begins, where it ends and what it takes: the order of captures
is left out, as in our rules. Draws by counting moves are not compared: ours leave out those for few pieces.
In its American checkers captures are not forced; they are here, by leaving out other moves where there is a capture.
"""

import draughts

from compare import Opponent, draughts_key, run


class Draughts(Opponent):
    LONG = True
    DRAWS_APART = True

    def __init__(self, board, width, fen=None):
        self.make = (lambda: board.from_fen(fen)) if fen else board
        self.width = width

    def begin(self):
        self.board = self.make()

    def field(self, number):
        """The name of a field: they are counted from the upper left, dark ones only."""
        row, place = divmod(number, self.width // 2)
        column = 2 * place + (row + 1) % 2
        return f"{chr(ord('a') + column)}{self.width - row}"

    def moves(self):
        legal = list(self.board.legal_moves)
        if any(move.captured_list for move in legal):
            legal = [move for move in legal if move.captured_list]
        return {
            (self.field(move.square_list[0]), self.field(move.square_list[-1]),
             " ".join(sorted(map(self.field, move.captured_list)))): move
            for move in legal
        }

    def play(self, move):
        self.board.push(move)

    def outcome(self):
        if not list(self.board.legal_moves):
            return "black" if self.board.turn == draughts.Color.WHITE else "white"
        return "draw" if self.board.is_draw else None

    def key(self, name, text):
        return draughts_key(name, text)


GAMES = {
    "draughts": lambda: Draughts(draughts.StandardBoard, 10),
    "brazilian": lambda: Draughts(draughts.BrazilianBoard, 8),
    "russian": lambda: Draughts(draughts.RussianBoard, 8),
    # Theirs lets white begin.
    "checkers": lambda: Draughts(draughts.AmericanBoard, 8, "B:W" + ",".join(map(str, range(21, 33)))
                                 + ":B" + ",".join(map(str, range(1, 13)))),
}

if __name__ == "__main__":
    run(__doc__, GAMES)
