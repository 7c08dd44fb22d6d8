"""Random games of our program and one made by others, move by move: the legal moves at every position, and the end.

A script gives `run` a table of games. Each entry makes an opponent: an object with

    begin()          a new game
    moves()          {key: whatever `play` takes}: the legal moves; keys are compared
    play(move)       plays one
    outcome()        None, "white", "black" or "draw" in the words of our rules
    key(name, text)  the key of one of our moves: its name, and all that it changes where LONG is true

and, as attributes, LONG and DRAWS_APART: true where the rules about draws by counting or repetition differ. A game then
ends quietly where one side has such a draw and the other has not.
"""

import argparse
import random
import re
import sys
import time

from multigame import Refused, Shell, Unusable, program

SHOWN_MAX = 3


class Opponent:
    LONG = False
    DRAWS_APART = False


def draughts_key(name, text):
    """A move of draughts by all that it changes: where a piece begins, where it ends, and what it takes."""
    changes = [change.split(" -> ") for change in text.split("; ")]
    taken = sorted(field for what, field in changes if what == "empty field")
    # A piece that ends where it began changes nothing but what it takes.
    here = re.match(r"[a-z]\d+", name).group()
    begin, end = next((change for change in changes if re.fullmatch(r"[a-z]\d+", change[0])), (here, here))
    return begin, end, " ".join(taken)


class Tally:
    """What was compared for a game, and what differed."""

    def __init__(self):
        self.games = self.positions = self.differences = 0

    def differ(self, text):
        self.differences += 1
        if self.differences <= SHOWN_MAX:
            print(f"  {text}", flush=True)

    def add(self, other):
        self.games += other.games
        self.positions += other.positions
        self.differences += other.differences

    def __str__(self):
        return f"{self.games} games, {self.positions} positions, {self.differences} differences"


def drawn_apart(shell, ours, theirs):
    """Whether only one side has a draw here, or ours is one because the position has occurred before."""
    if {ours, theirs} == {"draw", None}:
        return True
    if ours != "draw":
        return False
    moves, seen = shell.moves, []
    shell.reset()
    for move in moves:
        seen.append(shell.position())
        shell.play(move)
    return shell.position() in seen


def some(keys):
    """A few of the keys, in words."""
    listed = sorted(map(str, keys))
    return ", ".join(listed[:6]) + (f" and {len(listed) - 6} more" if len(listed) > 6 else "") if listed else "nothing"


def play_one(shell, other, chance, tally, plies_max, deadline):
    shell.reset()
    other.begin()
    tally.games += 1
    for _ in range(plies_max):
        (ours, listed), theirs = shell.legal(other.LONG), other.outcome()
        tally.positions += 1
        if ours or theirs:
            if ours != theirs and not (other.DRAWS_APART and drawn_apart(shell, ours, theirs)):
                tally.differ(f"{shell.game}: ours {ours or 'goes on'}, theirs {theirs or 'goes on'}: {shell.replay()}")
            return
        names = {}
        for move in listed:
            name, text = move if other.LONG else (move, "")
            names.setdefault(other.key(name, text), []).append(name)
        moves = other.moves()
        if names.keys() != moves.keys() or any(len(same) > 1 for same in names.values()):
            twice = [same for same in names.values() if len(same) > 1]
            tally.differ(f"{shell.game}: only ours {some(names.keys() - moves.keys())}; only theirs "
                         f"{some(moves.keys() - names.keys())}; same {twice}: {shell.replay()}")
            return
        # Sorted, so that a seed gives the same game whatever the order of either list.
        key = chance.choice(sorted(names, key=str))
        shell.play(names[key][0])
        other.play(moves[key])
        if time.monotonic() > deadline:
            return


def arguments(description, games):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="the binary (else $MULTIGAME, else what is built in target)")
    parser.add_argument("--seconds", type=float, default=60.0, help="time for all games together (60)")
    parser.add_argument("--games", type=int, default=1000, help="games of each kind at most (1000)")
    parser.add_argument("--plies", type=int, default=400, help="longest game (400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("game", nargs="*", metavar="GAME", help="all of: " + ", ".join(games))
    options = parser.parse_args()
    for game in options.game:
        if game not in games:
            parser.error(f"{game} is not one of {', '.join(games)}")
    options.game = options.game or list(games)
    return options


def shares(games, seconds):
    """Each game with the moment when its time is over; what one leaves goes to the others."""
    end = time.monotonic() + seconds
    for index, game in enumerate(games):
        now = time.monotonic()
        yield game, now + max(0.0, end - now) / (len(games) - index)


def finish(total, failed=()):
    """The last line, that `all` reads, and the exit status."""
    print(f"total: {total}")
    for line in failed:
        print(f"could not be run: {line}")
    sys.exit(1 if total.differences else 2 if failed else 0)


def run(description, games):
    options = arguments(description, games)
    total, failed = Tally(), []
    try:
        path = program(options.program)
    except Unusable as error:
        finish(total, [str(error)])
    for game, deadline in shares(options.game, options.seconds):
        tally = Tally()
        try:
            other = games[game]()
            with Shell(path, game) as shell:
                for number in range(options.games):
                    chance = random.Random(f"{options.seed} {game} {number}")
                    try:
                        play_one(shell, other, chance, tally, options.plies, deadline)
                    except Refused as refusal:
                        tally.differ(f"{game}: refused: {refusal}")
                    if time.monotonic() > deadline:
                        break
        except Unusable as error:
            failed.append(f"{game}: {error}")
        print(f"{game}: {tally}", flush=True)
        total.add(tally)
    finish(total, failed)
