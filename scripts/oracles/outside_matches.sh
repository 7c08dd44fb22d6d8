#!/usr/bin/env bash
# Matches against other engines at limited strength: gnuchess and fairy-stockfish (Debian: apt-get install gnuchess
# fairy-stockfish).
# Every line of output is one JSON object of `multigame match`. Usage:
#
#   scripts/oracles/outside_matches.sh [GAMES] [CONCURRENCY]
#
# Debian builds fairy-stockfish without atomic chess. MULTIGAME is the program (target/release/multigame), LIMIT our own
# limit (nodes=20000), VARIANTS the games besides chess that are played against fairy-stockfish, SEED the start of random
# openings, PGN a folder for the games.
set -euo pipefail
cd "$(dirname "$0")/../.."
games=${1:-20}
concurrency=${2:-1}
program=${MULTIGAME:-target/release/multigame}
limit=${LIMIT:-nodes=20000}
seed=${SEED:-1}
variants=${VARIANTS-"kingofthehill racingkings horde antichess 3check"}
PATH=$PATH:/usr/games

[[ -x $program ]] || { echo "outside_matches.sh: build $program first, or say MULTIGAME=PATH" >&2; exit 2; }

play() { # name, game, further arguments
    local name=$1 game=$2
    shift 2
    local pgn=()
    if [[ -n ${PGN:-} ]]; then
        mkdir -p "$PGN"
        pgn=(--pgn "$PGN/$name.pgn")
    fi
    echo "# $name" >&2
    "$program" match "$game" --first "$limit" --games "$games" --concurrency "$concurrency" --seed "$seed" \
        --max-plies 400 --margin 1000 --json ${pgn[@]+"${pgn[@]}"} "$@"
}

found=0
if command -v gnuchess >/dev/null; then
    found=1
    for depth in 1 3; do
        play "gnuchess-depth-$depth" chess --second "uci:gnuchess -u" --second-limit "depth=$depth"
    done
fi
if command -v fairy-stockfish >/dev/null; then
    found=1
    for nodes in 20 200; do
        play "fairy-stockfish-chess-nodes-$nodes" chess --second uci:fairy-stockfish --second-limit "nodes=$nodes"
    done
    play fairy-stockfish-chess-skill-0 chess --second uci:fairy-stockfish \
        --second-option "Skill Level=0" --second-limit movetime=0.05
    for variant in $variants; do
        play "fairy-stockfish-$variant" "$variant" --second uci:fairy-stockfish --second-limit nodes=20
    done
fi
((found)) || { echo 'outside_matches.sh: neither gnuchess nor fairy-stockfish is installed' >&2; exit 2; }
