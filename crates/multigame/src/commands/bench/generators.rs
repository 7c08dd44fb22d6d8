//! `multigame bench generators`: leaves a second of compiled rules, beside hand-written generators where there
//! are any.

use std::time::Instant;

use anyhow::{Context, Result};
use game::perft::Tally;
use game::{Game, Position};

use super::timing::best_of_each;
use super::{Row, Sink, check_count, chosen};
use crate::Exit;
use crate::cli::{Bench, GameChoice, Generator};
use crate::generator::{Work, with_game};
use crate::interrupt;

/// A game and what it is measured on: all lines of play from the start.
struct Case {
    game: &'static str,
    /// Depth and leaves with every move played, then with the last ply counted.
    depths: [u32; 2],
    leaves: [u64; 2],
    rival: Option<Rival>,
}

/// Counts leaves of a depth; the second time without playing the last move.
type Rival = [fn(u32) -> u64; 2];

const fn rival<P: native::Perft>() -> Option<Rival> {
    Some([|depth| P::start().make_all(depth), |depth| P::start().bulk(depth)])
}

const fn case(game: &'static str, depths: [u32; 2], leaves: [u64; 2], rival: Option<Rival>) -> Case {
    Case { game, depths, leaves, rival }
}

/// The counts are those of `suites` and of the tests; they are checked in every run.
const CASES: &[Case] = &[
    case("puzzle15", [14, 14], [7_231_898, 7_231_898], rival::<native::Puzzle15>()),
    case("puzzle24", [13, 13], [3_981_798, 3_981_798], rival::<native::Puzzle24>()),
    case("doubleblank", [9, 9], [4_750_412, 4_750_412], rival::<native::DoubleBlank>()),
    case("rubik", [5, 6], [1_889_568, 34_012_224], rival::<native::Cube>()),
    case("othello", [9, 10], [3_005_288, 24_571_284], rival::<native::Othello>()),
    case("connect4", [8, 9], [5_673_234, 39_394_572], rival::<native::Connect4>()),
    case("chess", [5, 5], [4_865_609, 4_865_609], rival::<native::Chess>()),
    case("checkers", [9, 10], [3_963_680, 18_391_564], rival::<native::Checkers>()),
    case("breakthrough", [5, 5], [6_182_818, 6_182_818], None),
    case("hex", [3, 3], [1_727_880, 1_727_880], None),
    case("gomoku", [3, 3], [11_239_200, 11_239_200], None),
    case("amazons", [2, 2], [4_307_152, 4_307_152], None),
    case("morris", [5, 5], [5_140_800, 5_140_800], None),
    case("draughts", [8, 8], [6_483_961, 6_483_961], None),
    case("loa", [4, 4], [1_563_208, 1_563_208], None),
    case("awari", [8, 8], [711_414, 711_414], None),
];

const MODES: [&str; 2] = ["make-all", "bulk"];

pub(super) fn run(options: &Bench, sink: &mut Sink<'_>) -> Result<Exit> {
    let cases = chosen(CASES, |case| case.game, &options.games)?;
    sink.heading(
        "Million leaves a second, one thread, processor time, best of the rounds. make-all: every leaf move is\n\
         played; bulk: the last ply is counted. ratio: time of compiled rules / time of the hand-written game.\n",
    )?;
    sink.heading(&format!(
        "{:<13} {:<9} {:>9} {:>13} {:>6}   {:>10}",
        "game", "", "compiled", "hand-written", "ratio", "compile ms"
    ))?;
    for case in cases {
        let choice = GameChoice { game: case.game.to_owned(), position: None, generator: Generator::Jit };
        let work = Measure { case, rounds: options.rounds, started: Instant::now(), sink: &mut *sink };
        let exit = with_game(&choice, work)?;
        if exit != Exit::Success {
            return Ok(exit);
        }
    }
    Ok(Exit::Success)
}

struct Measure<'run, 'out> {
    case: &'run Case,
    rounds: u32,
    /// When the rules were still a text.
    started: Instant,
    sink: &'run mut Sink<'out>,
}

impl Work for Measure<'_, '_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Measure { case, rounds, started, sink } = self;
        let compile_ms = started.elapsed().as_secs_f64() * 1e3;
        let position = game.pack(&start);
        for (mode, what) in MODES.into_iter().enumerate() {
            if interrupt::requested() {
                return Ok(Exit::Interrupted);
            }
            let (depth, expected) = (case.depths[mode], case.leaves[mode]);
            let ours = || {
                let mut tally = Tally::new(mode == 1, &|| false);
                game.perft(&position, depth, &mut tally)?;
                check_count(case.game, what, tally.leaves, expected)
            };
            let theirs = || match case.rival {
                Some(rival) => check_count(case.game, "hand-written", rival[mode](depth), expected),
                None => Ok(()),
            };
            // The first run compiles what counting needs.
            ours()?;
            let (ours, theirs) = best_of_each(rounds, ours, theirs)
                .with_context(|| format!("{} at depth {depth}", case.game))?;
            let speed = |seconds: f64| expected as f64 / seconds / 1e6;
            let rival = case.rival.map(|_| (speed(theirs), ours / theirs));
            let beside = match rival {
                Some((speed, ratio)) => format!("{speed:>13.1} {ratio:>6.2}"),
                None => format!("{:>13} {:>6}", "", ""),
            };
            let compiling = if mode == 0 { format!("{compile_ms:>10.1}") } else { String::new() };
            let name = if mode == 0 { case.game } else { "" };
            let text = format!("{name:<13} {what:<9} {:>9.1} {beside}   {compiling}", speed(ours));
            let text = text.trim_end().to_owned();
            sink.row(&Row {
                game: case.game,
                what,
                value: speed(ours),
                unit: "million leaves/s",
                rival,
                text,
            })?;
        }
        sink.row(&Row {
            game: case.game,
            what: "compile",
            value: compile_ms,
            unit: "ms",
            rival: None,
            text: String::new(),
        })?;
        Ok(Exit::Success)
    }
}
