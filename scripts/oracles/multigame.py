"""Talks to `multigame shell GAME` and `multigame uci GAME` through pipes, for the scripts of this folder.

`program()` finds the binary, `Shell` plays a game move by move, and `Uci` is any UCI engine.
"""

import os
import pathlib
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = "=== that was all ==="
# What the shell says instead of moves when a game is over.
OUTCOMES = {"white wins": "white", "black wins": "black", "drawn": "draw"}


class Unusable(Exception):
    """The program is missing or has ended."""


class Refused(Exception):
    """The program does not take a position or a move that others have."""


def program(path=None):
    """The binary: `path`, else $MULTIGAME, else the newest kind of build that there is."""
    wanted = path or os.environ.get("MULTIGAME")
    if wanted:
        found = [pathlib.Path(wanted)]
    else:
        found = [ROOT / "target" / kind / "multigame" for kind in ("release", "quick", "debug")]
    for candidate in found:
        if os.access(candidate, os.X_OK):
            return str(candidate)
    raise Unusable("there is no " + ", ".join(map(str, found)) + ": build one, or say MULTIGAME=PATH")


class Pipe:
    """A program that reads and writes lines."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.send("quit")
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # What it said before it ended is still to be read.

    def until(self, word):
        """The lines before one that begins with `word`, and that line."""
        before = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line.startswith(word):
                return before, line
            before.append(line)
        raise Unusable(f"the program ended before it said {word!r}: {' / '.join(before[-3:])}")


class Shell(Pipe):
    """A game in `multigame shell`."""

    def __init__(self, path, game):
        self.path, self.game, self.moves = path, game, []
        super().__init__([path, "shell", game, "--evaluation", "none"])

    def ask(self, command):
        self.send(f"{command}\necho {MARK}")
        lines, _ = self.until(MARK)
        for line in lines:
            if line.startswith("error"):
                raise Refused(f"{command}: {line}: {self.replay()}")
        return lines

    def reset(self):
        self.moves = []
        self.ask("reset")

    def legal(self, long=False):
        """Who won, `draw` or None, and the moves: names, or names with all that they change."""
        lines = self.ask("legal long" if long else "legal")
        ends = [word for word in OUTCOMES if lines and word in lines[0]]
        if ends:
            return OUTCOMES[ends[0]], []
        if long:
            return None, [tuple(line.split(": ", 1)) for line in lines]
        return None, [name.strip() for line in lines for name in line.split("  ") if name.strip()]

    def play(self, name):
        self.moves.append(name)
        return self.ask(f"move {name}")

    def position(self):
        """The position as one line."""
        return self.ask("position")[-1]

    def replay(self):
        """A command line that shows the position and its moves again."""
        text = "\\n".join([*(f"move {name}" for name in self.moves), "position", "legal", ""])
        return f"printf {shlex.quote(text)} | {self.path} shell {self.game} --evaluation none"


class Uci(Pipe):
    """A UCI engine; `command` is a list of words."""

    def ready(self):
        self.send("isready")
        self.until("readyok")

    def describe(self):
        """What `d` says of the position: its text and the names of its moves. Only `multigame uci` has it."""
        self.send("d")
        before, line = self.until("Legal moves:")
        fens = [text.removeprefix("Fen: ") for text in before if text.startswith("Fen: ")]
        refusals = [text for text in before if text.startswith("info string")]
        if refusals or not fens:
            raise Refused(" / ".join(refusals) or "no position was written")
        return fens[-1], line.removeprefix("Legal moves:").split()
