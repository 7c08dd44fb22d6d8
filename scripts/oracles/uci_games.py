#!/usr/bin/env python3
"""Plays games of the engine against itself under python-chess (pip install chess) at a fast time control.

python-chess keeps the board and the clocks: an illegal move, a crash, a position that the two disagree about, or a
clock that runs out ends the run with exit code 1.

  scripts/oracles/uci_games.py --games 20 --variant chess -- target/release/multigame uci

With `--variant chess960` every game begins with another arrangement of the pieces; python-chess then sets UCI_Chess960,
sends Shredder-FEN, and takes castling as the king that takes its rook. How often it was done is counted.

With `--protocol xboard` it speaks the protocol of xboard instead:

  scripts/oracles/uci_games.py --protocol xboard -- target/release/multigame xboard
"""

import argparse
import random
import sys
import time

import chess
import chess.engine
import chess.variant

BOARDS = {
    "chess": chess.Board,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "3check": chess.variant.ThreeCheckBoard,
    "horde": chess.variant.HordeBoard,
    "racingkings": chess.variant.RacingKingsBoard,
    "chess960": chess.Board,
}


def start(variant, rng):
    if variant == "chess960":
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return BOARDS[variant]()


def play(engines, variant, base, increment, plies_max, random_plies, slack, rng):
    board = start(variant, rng)
    for _ in range(random_plies):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            break
        board.push(rng.choice(moves))
    clocks = {chess.WHITE: base, chess.BLACK: base}
    game, worst = object(), 0.0
    while board.outcome(claim_draw=True) is None and board.ply() < plies_max:
        mover = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        started = time.monotonic()
        result = engines[mover].play(board, limit, game=game)
        used = time.monotonic() - started
        worst = max(worst, used)
        clocks[mover] -= used
        if clocks[mover] < -slack:
            raise SystemExit(f"time loss: {used:.3f} s used, {-clocks[mover]:.3f} s too late, in {board.fen()}")
        clocks[mover] = max(clocks[mover], 0.0) + increment
        if result.move is None or result.move not in board.legal_moves:
            raise SystemExit(f"illegal move {result.move} in {board.fen()}")
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    return board, (outcome.result() if outcome else "*"), worst, min(clocks.values())


def opened(options):
    if options.protocol == "xboard":
        engine = chess.engine.SimpleEngine.popen_xboard(options.engine)
        engine.configure({"memory": options.hash})
        engine.play(BOARDS[options.variant](), chess.engine.Limit(time=0.01))
        return engine
    engine = chess.engine.SimpleEngine.popen_uci(options.engine)
    engine.configure({"Hash": options.hash})
    # The rules are compiled when they are first needed; no clock runs yet.
    engine.play(BOARDS[options.variant](), chess.engine.Limit(nodes=1))
    return engine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--protocol", choices=["uci", "xboard"], default="uci")
    parser.add_argument("--variant", choices=BOARDS, default="chess")
    parser.add_argument("--base", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds for each move")
    parser.add_argument("--plies", type=int, default=300, help="longest game")
    parser.add_argument("--random-plies", type=int, default=6, help="random moves at the start")
    parser.add_argument("--slack", type=float, default=0.0, help="seconds that the machine may be slow by")
    parser.add_argument("--hash", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("engine", nargs="+", help="the command of the engine")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    engines = {}
    try:
        for colour in (chess.WHITE, chess.BLACK):
            engines[colour] = opened(options)
        tally, castlings = {}, 0
        for number in range(1, options.games + 1):
            board, result, worst, least = play(
                engines, options.variant, options.base, options.increment, options.plies,
                options.random_plies, options.slack, rng,
            )
            tally[result] = tally.get(result, 0) + 1
            replay = board.root()
            for move in board.move_stack:
                castlings += replay.is_castling(move)
                replay.push(move)
            print(f"game {number}: {result} in {board.ply()} plies, slowest move {worst:.3f} s, "
                  f"least clock {least:.3f} s", flush=True)
    finally:
        for engine in engines.values():
            engine.quit()
    print(f"{options.variant}: {options.games} games, no illegal move, crash or time loss: {tally}, "
          f"{castlings} times castled")


if __name__ == "__main__":
    sys.exit(main())
