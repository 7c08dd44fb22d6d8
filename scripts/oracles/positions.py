#!/usr/bin/env python3
"""Positions of random games as python-chess and Fairy-Stockfish write them: `multigame uci` must read each one, have
the same legal moves there under the same names, and write the same line again.

    positions.py [--program PATH] [--seconds N] [--games N] [--seed N] [GAME ...]

Needs `pip install chess pyffish`. The random games are theirs. Repetition and claims of draws are left out: a position
does not know its past. Where their text of a position has another form than ours, it is translated and only read.
"""

import random
import re
import time

import chess
import chess.variant
import pyffish

from compare import Tally, arguments, finish, shares, some
from multigame import Refused, Uci, Unusable, program

FIELD = r"[a-z]\d+"
# Moves without a capture until a draw: players of Fairy-Stockfish claim it, if at all; here it comes by itself.
COUNTED = {"gardner": 100, "losalamos": 100, "capablanca": 100, "xiangqi": 120, "minixiangqi": 120, "shatranj": 140}


class PythonChess:
    def __init__(self, variant):
        self.variant = variant

    def game(self, chance, plies_max):
        """FENs with the moves there: names, and the positions that they lead to."""
        board = chess.variant.find_variant(self.variant)()
        for _ in range(plies_max):
            over = board.is_variant_end() or board.halfmove_clock >= 100
            moves = [] if over else list(board.legal_moves)
            yield board.fen(), {board.uci(move): self.end(board, move) for move in moves}
            if not moves:
                return
            board.push(chance.choice(moves))

    def end(self, board, move):
        """Only in atomic chess do two moves lead to the same position."""
        if self.variant != "atomic":
            return move
        board.push(move)
        end = board.epd()
        board.pop()
        return end


class Pyffish:
    """`text` and `name` make our form of a position and of a move; `moves` lists the legal ones."""

    def __init__(self, variant, text=lambda fen: fen, name=lambda name: name, moves=pyffish.legal_moves):
        self.variant, self.text, self.name, self.legal = variant, text, name, moves

    def game(self, chance, plies_max):
        fen = pyffish.get_fen(self.variant, pyffish.start_fen(self.variant), [])
        for _ in range(plies_max):
            counted = self.variant in COUNTED and int(fen.split()[4]) >= COUNTED[self.variant]
            over = counted or pyffish.is_immediate_game_end(self.variant, fen, [])[0]
            if self.apart(fen, over):
                return
            moves = [] if over else self.legal(self.variant, fen, [])
            yield self.text(fen), {self.name(move): move for move in moves}
            if not moves:
                return
            fen = pyffish.get_fen(self.variant, fen, [chance.choice(moves)])

    def apart(self, fen, over):
        """Whether the two rules end the game at different moments from here on."""
        # Theirs is over when a knight could leave the centre, ours when it has left.
        if self.variant == "jesonmor":
            return over
        # Theirs goes on when the moves of an ending are counted to the end, until a player claims the draw.
        return self.variant == "makruk" and int(fen.split()[4]) >= 128


def without_clock(fen):
    """Our rules of these games count no moves without captures: we write 0 there."""
    words = fen.split()
    return " ".join([*words[:4], "0", *words[5:]])


def without_counting(fen):
    """In place of en passant, Fairy-Stockfish writes how far the moves of an ending are counted in makruk."""
    words = fen.split()
    return " ".join([*words[:3], "-", *words[4:]])


def without_counters(fen):
    return " ".join(fen.split()[:2])


def crosses_and_circles(fen, white, black):
    board, mover = fen.split()[:2]
    return f"{board.replace('P', white).replace('p', black)} {mover}"


def without_pawn_mates(variant, fen, _):
    """Fairy-Stockfish lets a dropped pawn mate in minishogi; the rules do not."""
    def mates(move):
        if not move.startswith("P@") or not pyffish.gives_check(variant, fen, [move]):
            return False
        return not pyffish.legal_moves(variant, pyffish.get_fen(variant, fen, [move]), [])
    return [move for move in pyffish.legal_moves(variant, fen, []) if not mates(move)]


def shot(name):
    """`c1b1,b1a1` is `c1b1/a1`."""
    move, arrow = name.split(",")
    return f"{move}/{re.findall(FIELD, arrow)[1]}"


def clone(name):
    """`P@f1` is `f1`, and a pass is a move to the same field."""
    fields = re.findall(FIELD, name)
    return "pass" if len(fields) == 2 and fields[0] == fields[1] else name.removeprefix("P@")


GAMES = {
    "chess": PythonChess("chess"),
    "kingofthehill": PythonChess("kingofthehill"),
    "threecheck": PythonChess("3check"),
    "horde": PythonChess("horde"),
    "racingkings": PythonChess("racingkings"),
    "antichess": PythonChess("antichess"),
    "atomic": PythonChess("atomic"),
    "minishogi": Pyffish("minishogi", without_clock, moves=without_pawn_mates),
    "dobutsu": Pyffish("dobutsu", without_clock),
    "shatranj": Pyffish("shatranj"),
    "capablanca": Pyffish("capablanca"),
    "gardner": Pyffish("gardner"),
    "losalamos": Pyffish("losalamos"),
    "makruk": Pyffish("makruk", without_counting),
    "xiangqi": Pyffish("xiangqi"),
    "minixiangqi": Pyffish("minixiangqi"),
    "jesonmor": Pyffish("jesonmor", without_counters),
    "breakthrough": Pyffish("breakthrough", without_counters),
    "isolation": Pyffish("isolation", without_counters, shot),
    "amazons": Pyffish("amazons", without_counters, shot),
    "clobber": Pyffish("clobber", lambda fen: crosses_and_circles(fen, "O", "X")),
    "ataxx": Pyffish("ataxx", lambda fen: crosses_and_circles(fen, "x", "o"), clone),
}


def faults(engine, fen, theirs):
    """What is wrong with our answer in a position."""
    engine.send(f"position fen {fen}")
    written, names = engine.describe()
    ours, found = set(names), []
    missing = theirs.keys() - ours
    # Moves with the same end are listed once; the name of the other is understood all the same.
    listed = {theirs.get(name) for name in ours}
    twins = {name for name in missing if theirs[name] in listed}
    for twin in sorted(twins):
        engine.send(f"position fen {fen} moves {twin}")
        try:
            engine.describe()
        except Refused:
            same = next(name for name in names if theirs.get(name) == theirs[twin])
            found.append(f"`moves {twin}` is refused, `moves {same}` has the same end")
    if ours - theirs.keys() or missing - twins:
        found.append(f"only ours {some(ours - theirs.keys())}; only theirs {some(missing - twins)}")
    if len(ours) != len(names):
        found.append("a name is listed twice")
    if written != fen:
        found.append(f"written as {written}")
    return found


def compare(engine, game, lines, tally, path):
    """One game: every position that the other program had."""
    tally.games += 1
    for fen, theirs in lines:
        try:
            found = faults(engine, fen, theirs)
        except Refused as refusal:
            found = [f"refused: {refusal}"]
        tally.positions += 1
        if found:
            replay = f"printf 'position fen {fen}\\nd\\n' | {path} uci {game} --evaluation none"
            tally.differ(f"{game}: {'; '.join(found)}: {replay}")
        yield


def main():
    options = arguments(__doc__, GAMES)
    total, failed = Tally(), []
    try:
        path = program(options.program)
    except Unusable as error:
        finish(total, [str(error)])
    for game, deadline in shares(options.game, options.seconds):
        tally = Tally()
        try:
            with Uci([path, "uci", game, "--evaluation", "none"]) as engine:
                for number in range(options.games):
                    chance = random.Random(f"{options.seed} {game} {number}")
                    for _ in compare(engine, game, GAMES[game].game(chance, options.plies), tally, path):
                        if time.monotonic() > deadline:
                            break
                    if time.monotonic() > deadline:
                        break
        except Unusable as error:
            failed.append(f"{game}: {error}")
        print(f"{game}: {tally}", flush=True)
        total.add(tally)
    finish(total, failed)


if __name__ == "__main__":
    main()
