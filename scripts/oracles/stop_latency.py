#!/usr/bin/env python3
"""Measures how long an engine takes from `stop` to `bestmove`, and how far `go movetime` is from its limit.

It reports and judges nothing: on a busy machine the operating system decides.

  scripts/oracles/stop_latency.py --searches 20 chess othello amazons
"""

import argparse
import random
import statistics
import time

from multigame import Uci


def summary(values):
    ordered = sorted(values)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"mean {statistics.mean(values):6.1f} ms, 95 % below {late:6.1f} ms, most {ordered[-1]:6.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", type=int, default=20)
    parser.add_argument("--movetime", type=int, default=200, help="milliseconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="target/release/multigame uci", help="the command; the game is added")
    parser.add_argument("games", nargs="+")
    options = parser.parse_args()
    games, command = options.games, options.engine.split()
    rng = random.Random(options.seed)
    for game in games:
        engine = Uci(command + [game])
        engine.send("uci")
        engine.until("uciok")
        engine.send("go depth 2")
        engine.until("bestmove")
        stops, times = [], []
        for _ in range(options.searches):
            engine.send("ucinewgame")
            engine.ready()
            engine.send("go infinite")
            time.sleep(rng.uniform(0.05, 0.5))
            began = time.monotonic()
            engine.send("stop")
            engine.until("bestmove")
            stops.append(1000 * (time.monotonic() - began))
        for _ in range(options.searches):
            engine.ready()
            began = time.monotonic()
            engine.send(f"go movetime {options.movetime}")
            engine.until("bestmove")
            times.append(1000 * (time.monotonic() - began))
        engine.send("quit")
        print(f"{game:14} stop to bestmove: {summary(stops)}")
        print(f"{'':14} movetime {options.movetime}:     {summary(times)}", flush=True)


if __name__ == "__main__":
    main()
