//! `multigame bench playouts`: random games a second, from the start to the end, with equal chances for all legal
//! moves.

use anyhow::Result;
use game::{Advance, Game, History, MoveList, Position, RepetitionResult};
use native::Playouts as _;

use super::timing::best_of_each;
use super::{Row, Sink, chosen};
use crate::Exit;
use crate::cli::{Bench, GameChoice, Generator};
use crate::generator::{Work, with_game};
use crate::interrupt;

/// A game and how many games make a run.
struct Case {
    game: &'static str,
    count: u64,
    /// Plays so many games from a seed; returns their plies.
    rival: Option<fn(u64, u64) -> u64>,
}

const fn case(game: &'static str, count: u64, rival: Option<fn(u64, u64) -> u64>) -> Case {
    Case { game, count, rival }
}

const CASES: &[Case] = &[
    case("connect4", 100_000, Some(native::Connect4::playouts)),
    case("othello", 10_000, Some(native::Othello::playouts)),
    case("checkers", 10_000, Some(native::Checkers::playouts)),
    case("breakthrough", 10_000, None),
    case("chess", 200, Some(native::Chess::playouts)),
    case("hex", 2_000, None),
    case("gomoku", 2_000, None),
    case("amazons", 100, None),
    case("awari", 5_000, None),
];

/// Games that do not end are given up after so many plies.
const PLIES_MAX: usize = 5_000;

pub(super) fn run(options: &Bench, seed: u64, sink: &mut Sink<'_>) -> Result<Exit> {
    let cases = chosen(CASES, |case| case.game, &options.games)?;
    sink.heading(
        "Thousand random games a second, one thread, processor time, best of the rounds; ratio: time of compiled\n\
         rules / time of the hand-written game.\n",
    )?;
    sink.heading(&format!(
        "{:<13} {:>9} {:>13} {:>6}   {:>10}",
        "game", "compiled", "hand-written", "ratio", "mean plies"
    ))?;
    for case in cases {
        if interrupt::requested() {
            return Ok(Exit::Interrupted);
        }
        let choice = GameChoice { game: case.game.to_owned(), position: None, generator: Generator::Jit };
        with_game(&choice, Measure { case, seed, rounds: options.rounds, sink: &mut *sink })?;
    }
    Ok(Exit::Success)
}

struct Measure<'run, 'out> {
    case: &'run Case,
    seed: u64,
    rounds: u32,
    sink: &'run mut Sink<'out>,
}

impl Work for Measure<'_, '_> {
    type Result = ();

    fn run<G: Game>(self, game: &G, start: Position) -> Result<()> {
        let Measure { case, seed, rounds, sink } = self;
        let mut plies = 0;
        let (ours, theirs) = best_of_each(
            rounds,
            || {
                plies = playouts(game, &start, case.count, seed)?;
                Ok(())
            },
            || {
                if let Some(rival) = case.rival {
                    std::hint::black_box(rival(case.count, seed));
                }
                Ok(())
            },
        )?;
        let speed = |seconds: f64| case.count as f64 / seconds / 1e3;
        let rival = case.rival.map(|_| (speed(theirs), ours / theirs));
        let beside = match rival {
            Some((speed, ratio)) => format!("{speed:>13.1} {ratio:>6.2}"),
            None => format!("{:>13} {:>6}", "", ""),
        };
        let length = plies as f64 / case.count as f64;
        let text = format!("{:<13} {:>9.2} {beside}   {length:>10.1}", case.game, speed(ours));
        sink.row(&Row {
            game: case.game,
            what: "playouts",
            value: speed(ours),
            unit: "thousand games/s",
            rival,
            text,
        })
    }
}

/// Plays random games; returns the moves made in all of them.
fn playouts<G: Game>(game: &G, start: &Position, count: u64, seed: u64) -> Result<u64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let (first, mut moves, mut plies) = (game.pack(start), MoveList::new(), 0);
    let rule = game.info().repetition;
    let counts = rule.result != RepetitionResult::Ignored;
    let mut history = History::new(game.signature(&first));
    for _ in 0..count {
        let mut position = first.clone();
        // Whether nothing before the present position can come again: then it is all that there is to remember.
        let mut begins_anew = true;
        for _ in 0..PLIES_MAX {
            let mut choose = |count: usize| random.usize(..count);
            let before = game.signature(&position);
            let Advance::Moved { outcome, irreversible } =
                game.advance(&mut position, &mut moves, &mut choose)?
            else {
                break;
            };
            plies += 1;
            if outcome.is_some() {
                break;
            }
            if counts && !irreversible {
                if begins_anew {
                    history.restart(before);
                }
                history.push(game.signature(&position), false);
                if history.occurrences() >= rule.occurrences {
                    break;
                }
            }
            begins_anew = irreversible;
        }
    }
    Ok(plies)
}
