#!/usr/bin/env python3
"""Games against OpenSpiel: the legal moves at every position of random games, and the outcome.

    openspiel.py [--program PATH] [--seconds N] [--games N] [--seed N] [GAME ...]

Needs `pip install open_spiel`. Where OpenSpiel plays a turn in several steps (amazons, checkers, kalah, morris), the
steps are joined. Fields are renamed where it counts rows from the other end.
"""

import re

import pyspiel

from compare import Opponent, draughts_key, run

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Game(Opponent):
    """A game in which every action is a move; `rename` makes our name of theirs, given the state."""

    def __init__(self, name, rename, players=("white", "black"), draws_apart=False):
        self.game = pyspiel.load_game(name)
        self.rename, self.players, self.DRAWS_APART = rename, players, draws_apart

    def begin(self):
        self.state = self.game.new_initial_state()

    def text(self, state, action):
        return state.action_to_string(state.current_player(), action)

    def moves(self):
        state = self.state
        return {self.rename(self.text(state, action), state): [action] for action in state.legal_actions()}

    def play(self, actions):
        for action in actions:
            self.state.apply_action(action)

    def outcome(self):
        if not self.state.is_terminal():
            return None
        first = self.state.returns()[0]
        return "draw" if first == 0 else self.players[0 if first > 0 else 1]

    def key(self, name, text):
        return name


class Othello(Game):
    """When neither player can put a disc on a board with empty fields, OpenSpiel ends the game; we first say `pass`."""

    def __init__(self):
        super().__init__("othello", lambda text, _: text, players=("black", "white"))

    def begin(self):
        super().begin()
        self.passed = False

    def open(self):
        """Whether our last pass is still to come."""
        return self.state.is_terminal() and not self.passed and "-" in str(self.state)

    def moves(self):
        return {"pass": []} if self.open() else super().moves()

    def play(self, actions):
        self.passed = not actions
        super().play(actions)

    def outcome(self):
        return None if self.open() else super().outcome()


class Turns(Game):
    """A game whose turns are several actions; `rename` joins their texts."""

    def moves(self):
        found, open_turns = {}, [(self.state, [], [])]
        mover = self.state.current_player()
        while open_turns:
            state, actions, texts = open_turns.pop()
            if actions and (state.is_terminal() or state.current_player() != mover):
                found[self.rename(texts)] = actions
                continue
            for action in state.legal_actions():
                open_turns.append((state.child(action), [*actions, action], [*texts, self.text(state, action)]))
        return found


class Checkers(Turns):
    LONG = True

    def key(self, name, text):
        return draughts_key(name, text)


class Morris(Turns):
    """Our short names leave out what is taken where there is no choice: all that a move changes says it."""

    LONG = True

    def key(self, name, text):
        changes = [change.split(" -> ") for change in text.split("; ")]
        taken = [point for what, point in changes if what == "empty field"]
        return name.split("x")[0] + "".join(f"x{point}" for point in taken)


class Kalah(Game):
    """Turns with the same end are one move, so the key is the position where a turn ends."""

    def __init__(self):
        super().__init__("mancala", None)

    def end(self, state):
        return " / ".join(str(state).splitlines()[:3])

    def moves(self):
        mover, found, seen, open_turns = self.state.current_player(), {}, set(), [(self.state, [])]
        while open_turns:
            state, actions = open_turns.pop()
            for action in state.legal_actions():
                after = state.child(action)
                if str(after) in seen:
                    continue
                seen.add(str(after))
                if after.is_terminal() or after.current_player() != mover:
                    found[self.end(after)] = [*actions, action]
                else:
                    open_turns.append((after, [*actions, action]))
        return found

    def key(self, name, text):
        """Our houses in turn, sown by OpenSpiel: every sowing must be legal, and only the last may end the turn."""
        state, mover = self.state.clone(), self.state.current_player()
        for house in re.findall(r"[b-g][12]", name):
            number = "bcdefg".index(house[0])
            action = number + 1 if house[1] == "1" else 13 - number
            if state.is_terminal() or state.current_player() != mover or action not in state.legal_actions():
                return f"{name}: {house} cannot be sown"
            state.apply_action(action)
        ends = state.is_terminal() or state.current_player() != mover
        return self.end(state) if ends else f"{name}: the turn goes on"


def field(column, row):
    return f"{LETTERS[column]}{row}"


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def upside_down(height):
    """Fields such as `b6c5*`, their rows counted from the other end."""
    return lambda text, _: "".join(
        f"{column}{height + 1 - int(row)}" for column, row in re.findall(r"([a-z])(\d+)", text)
    )


def from_above(height):
    """Row and column, both from 0 and the row from above: one pair of them for each field of a move."""
    def rename(text, _):
        found = numbers(text)
        return "".join(field(column, height - row) for row, column in zip(found[0::2], found[1::2]))
    return rename


def amazons(texts):
    begin, end, arrow = (field(column - 1, 11 - row) for row, column in map(numbers, texts))
    return f"{begin}{end}/{arrow}"


def checkers(texts):
    """The steps of a man or king on a board that is turned around: theirs begins below, our black above."""
    visited, taken = [], []
    for text in texts:
        columns = [7 - LETTERS.index(letter) for letter in text[0::2]]
        rows = [9 - int(digit) for digit in text[1::2]]
        visited += [field(column, row) for column, row in zip(columns, rows)]
        if abs(rows[0] - rows[1]) == 2:
            taken.append(field(sum(columns) // 2, sum(rows) // 2))
    return visited[0], visited[-1], " ".join(sorted(taken))


POINTS = ("a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1").split()


def morris(texts):
    move, *taken = ("".join(POINTS[number] for number in numbers(text)) for text in texts)
    return move + "".join(f"x{point}" for point in taken)


def nim(text, state):
    """We name the first match that is taken of a heap, OpenSpiel says how many."""
    heap, taken = numbers(text)
    heaps = numbers(str(state))[1:]
    return field(heaps[heap - 1] - taken, 4 - heap)


def qubic(text, _):
    layer, row, column = numbers(text)
    return field(5 * layer + column, row + 1)


class Columns(Game):
    """Connect-4: the column is the move."""

    def __init__(self, name):
        super().__init__(name, lambda text, _: LETTERS[int(text[1:])])

    def key(self, name, text):
        return name[0]


def oware(text, _):
    return f"{text.lower()}1" if text.isupper() else field(5 - LETTERS.index(text), 2)


def joined(text, _):
    return re.sub("[-x]", "", text)


GAMES = {
    "tictactoe": lambda: Game("tic_tac_toe", from_above(3)),
    "connect4": lambda: Columns("connect_four"),
    "connect4_8x7": lambda: Columns("connect_four(rows=7,columns=8)"),
    "breakthrough": lambda: Game("breakthrough", upside_down(8)),
    "othello": Othello,
    "hex": lambda: Game("hex", upside_down(11)),
    "clobber": lambda: Game("clobber(rows=6,columns=5)", upside_down(6)),
    "loa": lambda: Game("lines_of_action", joined, draws_apart=True),
    "gomoku": lambda: Game("gomoku", from_above(15)),
    "qubic": lambda: Game("gomoku(size=4,dims=3,connect=4)", qubic),
    "nim": lambda: Game("nim(pile_sizes=3;5;7,is_misere=False)", nim),
    "amazons": lambda: Turns("amazons", amazons),
    "checkers": lambda: Checkers("checkers", checkers, players=("black", "white"), draws_apart=True),
    "morris": lambda: Morris("nine_mens_morris", morris, draws_apart=True),
    "kalah": Kalah,
    "awari": lambda: Game("oware", oware, draws_apart=True),
    "xiangqi": lambda: Game("xiangqi", from_above(10), draws_apart=True),
}

if __name__ == "__main__":
    run(__doc__, GAMES)
