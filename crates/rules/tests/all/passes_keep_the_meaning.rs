//! A program means the same before and after every pass: the same moves in the same order, the same outcomes and
//! features, the same faults. Tried with the interpreter on random games of everything in `games/` and on random
//! programs (those that compiled code is tried on). What a pass does is shown in `passes.rs`.
//!
//! ```text
//! MULTIGAME_PROGRAMS=5000 cargo test -p rules --test all passes_keep_the_meaning # more random programs
//! MULTIGAME_SEED=12345 MULTIGAME_PROGRAMS=1 cargo test …                         # one of them again
//! ```

/// The generator of random programs belongs to `jit`, which has more use for it.
#[path = "../../../jit/tests/random_programs"]
#[allow(dead_code, unreachable_pub, clippy::unwrap_used)] // programs are not shrunk here
mod random_programs {
    pub(crate) mod expressions;
    pub(crate) mod generate;
    mod plain;
    pub(crate) mod program;
    pub(crate) mod questions;
    pub(crate) mod tree;
}

use crate::support;
use fastrand::Rng;
use game::{Game, MoveList, Outcome, Position, RuleFault, Stage, text};
use lang::Source;
use rules::passes::{self, PIPELINE};
use rules::{Interpreter, Program};

/// Positions for each game of the library.
const POSITIONS: usize = 30;
/// Moves of one random game.
const PLIES_MAX: usize = 15;
/// Random programs.
const PROGRAMS: u64 = 300;

fn number(variable: &str, fallback: u64) -> u64 {
    std::env::var(variable).map_or(fallback, |text| text.parse().expect("a number"))
}

/// The program after each single pass, and after all of them.
fn variants(program: &Program) -> Vec<(&'static str, Interpreter)> {
    let mut variants = Vec::new();
    for pass in PIPELINE {
        let mut changed = program.clone();
        (pass.run)(&mut changed);
        variants.push((pass.name, Interpreter::new(changed)));
    }
    let mut all = program.clone();
    passes::run(&mut all, |_| false);
    variants.push(("all passes", Interpreter::new(all)));
    variants
}

/// Everything that the rules say of a position.
#[derive(PartialEq, Debug)]
struct Answer {
    moves: Result<(Option<Outcome>, Vec<String>), RuleFault>,
    features: Result<Vec<(String, i64)>, RuleFault>,
}

fn ask(game: &Interpreter, position: &Position) -> (Answer, MoveList) {
    let mut moves = MoveList::new();
    let outcome = game.generate(position, Stage::All, &mut moves);
    let described = moves.iter().map(|view| format!("{:?} {:?}", view.head, view.changes)).collect();
    let features = game.features(position).map(|features| {
        features.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
    });
    (Answer { moves: outcome.map(|outcome| (outcome, described)), features }, moves)
}

/// Limits may be met elsewhere, as fewer statements do the same work.
fn is_limit<T>(answer: &Result<T, RuleFault>) -> bool {
    let limits = ["this loop does not end", "calls itself more than", "are the greatest", "for one position"];
    answer.as_ref().is_err_and(|fault| limits.iter().any(|part| fault.message.contains(part)))
}

/// Compares all variants in one position; the moves there.
fn check(name: &str, game: &Interpreter, variants: &[(&str, Interpreter)], position: &Position) -> MoveList {
    let (expected, moves) = ask(game, position);
    if is_limit(&expected.moves) || is_limit(&expected.features) {
        return MoveList::new();
    }
    for (pass, changed) in variants {
        let (found, _) = ask(changed, position);
        // Faults too are the same, in the same rule at the same place.
        if expected != found {
            let (before, after) = (game.program(), changed.program());
            let position = text::write(game.info(), position);
            panic!("{name} after `{pass}`:\n{position}\n{expected:?}\n{found:?}\n\n{before}\n\n{after}");
        }
    }
    moves
}

/// Plays a random game from here and checks every position of it; how many there were.
fn play(
    name: &str,
    game: &Interpreter,
    variants: &[(&str, Interpreter)],
    mut position: Position,
    plies: usize,
    random: &mut Rng,
) -> usize {
    for ply in 1..=plies {
        let moves = check(name, game, variants, &position);
        if moves.is_empty() {
            return ply;
        }
        let chosen = moves.get(random.usize(..moves.len()));
        if chosen.head.outcome().is_some() && game.info().players == 2 {
            return ply;
        }
        game.play(&mut position, chosen);
    }
    plies
}

#[test]
fn games_of_the_library_mean_the_same() {
    for name in support::game_names() {
        let game = support::game(&name);
        let variants = variants(game.program());
        let setups = &game.program().setups;
        let (mut random, mut seen) = (Rng::with_seed(1), 0);
        for round in 0.. {
            let start = setups[round % setups.len()].1.clone();
            seen += play(&name, &game, &variants, start, PLIES_MAX.min(POSITIONS - seen), &mut random);
            if seen >= POSITIONS {
                break;
            }
        }
    }
}

#[test]
fn random_programs_mean_the_same() {
    let first = number("MULTIGAME_SEED", 1);
    for seed in first..first + number("MULTIGAME_PROGRAMS", PROGRAMS) {
        let text = random_programs::generate::program(seed).text();
        let Ok((program, _)) = rules::compile(&Source::new("random", &text), None) else { continue };
        let start = program.info.start.clone().expect("every random program has a setup");
        let (variants, game) = (variants(&program), Interpreter::new(program));
        let name = format!("MULTIGAME_SEED={seed} MULTIGAME_PROGRAMS=1\n{text}\n");
        play(&name, &game, &variants, start, 4, &mut Rng::with_seed(seed));
    }
}
