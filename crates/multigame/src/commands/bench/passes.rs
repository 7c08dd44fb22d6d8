//! `multigame bench passes`: what each pass and each trick of the code generator gains, measured by switching it off.

use anyhow::Result;
use game::perft::Tally;
use game::{Game, Position};
use jit::Options;
use rules::passes::{PIPELINE, PassSet};

use super::timing::seconds;
use super::{Row, Sink, check_count, chosen};
use crate::Exit;
use crate::cli::Bench;
use crate::generator::{Work, with_options};
use crate::interrupt;

struct Case {
    game: &'static str,
    depth: u32,
    leaves: u64,
}

const CASES: &[Case] = &[
    Case { game: "chess", depth: 4, leaves: 197_281 },
    Case { game: "othello", depth: 8, leaves: 390_216 },
    Case { game: "puzzle15", depth: 11, leaves: 213_402 },
    Case { game: "connect4", depth: 7, leaves: 823_536 },
];

/// Everything, then each thing switched off, then all of them.
fn variants() -> Vec<(String, Options)> {
    let all = Options::default();
    let mut variants = vec![
        ("everything".to_owned(), all),
        ("without tracked tests".to_owned(), Options { tracked_tests: false, ..all }),
        ("without known changes".to_owned(), Options { static_changes: false, ..all }),
        ("without known pieces".to_owned(), Options { known_pieces: false, ..all }),
        ("without tests for all fields".to_owned(), Options { whole_board_tests: false, ..all }),
        ("without known fields".to_owned(), Options { known_fingers: false, ..all }),
    ];
    for pass in PIPELINE.iter().filter(|pass| !pass.required) {
        let Ok(skip_passes) = PassSet::of(&[pass.name]) else { continue };
        variants.push((format!("without {}", pass.name), Options { skip_passes, ..all }));
    }
    let nothing = Options {
        tracked_tests: false,
        static_changes: false,
        known_pieces: false,
        whole_board_tests: false,
        known_fingers: false,
        skip_passes: PassSet::optional(),
    };
    variants.push(("without all of them".to_owned(), nothing));
    variants
}

pub(super) fn run(options: &Bench, sink: &mut Sink<'_>) -> Result<Exit> {
    let cases = chosen(CASES, |case| case.game, &options.games)?;
    sink.heading(
        "Million leaves a second with every leaf move played, one thread, processor time, best of the rounds;\n\
         factor: how many times longer it takes than with everything.",
    )?;
    for case in cases {
        sink.heading(&format!("\n{:<32} {:>9} {:>7}", case.game, "leaves/s", "factor"))?;
        // In turns, so that a busy machine is unfair to all of them alike.
        let variants = variants();
        let mut best = vec![f64::INFINITY; variants.len()];
        for _ in 0..options.rounds {
            for (index, (_, jit)) in variants.iter().enumerate() {
                if interrupt::requested() {
                    return Ok(Exit::Interrupted);
                }
                best[index] = best[index].min(with_options(case.game, *jit, Measure { case })?);
            }
        }
        for ((name, _), &time) in variants.iter().zip(&best) {
            let (speed, factor) = (case.leaves as f64 / time / 1e6, time / best[0]);
            sink.row(&Row {
                game: case.game,
                what: name,
                value: speed,
                unit: "million leaves/s",
                rival: Some((case.leaves as f64 / best[0] / 1e6, factor)),
                text: format!("{name:<32} {speed:>9.1} {factor:>7.2}"),
            })?;
        }
    }
    Ok(Exit::Success)
}

struct Measure<'run> {
    case: &'run Case,
}

impl Work for Measure<'_> {
    type Result = f64;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<f64> {
        let position = game.pack(&start);
        let mut count = || {
            let mut tally = Tally::new(false, &|| false);
            game.perft(&position, self.case.depth, &mut tally)?;
            check_count(self.case.game, "make-all", tally.leaves, self.case.leaves)
        };
        // The first run compiles.
        count()?;
        seconds(&mut count)
    }
}
