//! Compiled code against the interpreter, for programs that no person wrote: a generator that knows every
//! statement makes them from a seed. What belongs here is the generator, the comparison and the shrinking; small
//! programs that once made a difference are in `random_programs/found.rs`.
//!
//! ```text
//! MULTIGAME_PROGRAMS=5000 cargo test -p jit --test random_programs      # more programs
//! MULTIGAME_SEED=12345 MULTIGAME_PROGRAMS=1 cargo test …                # one of them again
//! MULTIGAME_VERBOSE=1 …                                                 # every seed, for crashes
//! ```

#![allow(clippy::unwrap_used, unreachable_pub)] // tests are free to

mod random_programs {
    pub(crate) mod compare;
    pub(crate) mod expressions;
    mod found;
    mod found_along_lines;
    pub(crate) mod generate;
    mod plain;
    pub(crate) mod program;
    pub(crate) mod questions;
    pub(crate) mod shrink;
    pub(crate) mod tree;
}

use std::collections::BTreeMap;
use std::fmt::Write;

use jit::Options;
use random_programs::compare::{Difference, Verdict, compare};
use random_programs::program::Program;
use random_programs::{generate, shrink};
use rules::passes::PassSet;

/// How many programs the usual run makes.
const PROGRAMS: u64 = 1_000;

fn number(variable: &str, fallback: u64) -> u64 {
    std::env::var(variable).map_or(fallback, |text| text.parse().expect("a number"))
}

/// Most programs are compiled with everything, some with one thing switched off, some with nothing.
fn options(seed: u64) -> Options {
    let all = Options::default();
    let without = |pass: &str| Options { skip_passes: PassSet::of(&[pass]).unwrap(), ..all };
    match seed % 14 {
        0 => Options { tracked_tests: false, ..all },
        1 => Options { static_changes: false, ..all },
        2 => Options { known_pieces: false, ..all },
        3 => without("fields"),
        4 => Options { whole_board_tests: false, ..all },
        5 => without("sight"),
        6 => Options {
            tracked_tests: false,
            static_changes: false,
            known_pieces: false,
            whole_board_tests: false,
            known_fingers: false,
            skip_passes: PassSet::optional(),
        },
        7 => without("simplify"),
        8 => without("hoist"),
        9 => without("dead_state"),
        10 => Options { known_fingers: false, ..all },
        11 => without("alternatives"),
        _ => all,
    }
}

fn report(seed: u64, program: Program, difference: Difference) -> String {
    let options = options(seed);
    let differs = |program: &Program| match compare(&program.text(), options, None) {
        Verdict::Different(difference) => Some(difference),
        _ => None,
    };
    // The position where it was seen becomes the start; if it is not seen there, the program stays as it is.
    let mut from = program.clone();
    if !difference.position.is_empty() {
        from.setup = difference.position.clone();
    }
    let (small, difference) = match differs(&from) {
        Some(difference) => shrink::shrink(from, difference, differs),
        None => (program, difference),
    };
    let mut text = String::new();
    writeln!(text, "compiled code and interpreter differ: {}", difference.what).unwrap();
    writeln!(text, "\n{}\nposition:\n{}\n", small.text(), difference.position.join("\n")).unwrap();
    writeln!(text, "interpreter: {}\ncompiled:    {}", difference.interpreter, difference.compiled).unwrap();
    writeln!(text, "{options:?}\nThis program again:").unwrap();
    writeln!(
        text,
        "MULTIGAME_SEED={seed} MULTIGAME_PROGRAMS=1 cargo test -p jit --test random_programs random"
    )
    .unwrap();
    text
}

#[test]
fn random_programs_do_what_the_interpreter_does() {
    let (first, programs) = (number("MULTIGAME_SEED", 1), number("MULTIGAME_PROGRAMS", PROGRAMS));
    let (failures_max, verbose) = (number("MULTIGAME_FAILURES", 1), number("MULTIGAME_VERBOSE", 0) != 0);
    let (mut positions, mut moves, mut faults, mut limits, mut symmetric) = (0, 0, 0, 0, 0);
    let (mut rejected, mut with_moves, mut failures) = (0, 0, Vec::new());
    let mut unsupported: BTreeMap<String, usize> = BTreeMap::new();
    for seed in first..first + programs {
        if verbose {
            eprintln!("seed {seed}");
        }
        let program = generate::program(seed);
        let start = std::time::Instant::now();
        match compare(&program.text(), options(seed), Some(seed)) {
            Verdict::Same(seen) => {
                positions += seen.positions;
                moves += seen.moves;
                faults += usize::from(seen.faults > 0);
                limits += usize::from(seen.limits > 0);
                symmetric += usize::from(seen.images > 0);
                with_moves += usize::from(seen.moves > 0);
            }
            Verdict::Unsupported(reason) => *unsupported.entry(reason).or_default() += 1,
            Verdict::Rejected(why) => {
                rejected += 1;
                if verbose {
                    eprintln!("{why}");
                }
            }
            Verdict::Different(difference) => {
                failures.push(report(seed, program, difference));
                if failures.len() as u64 >= failures_max {
                    break;
                }
            }
        }
        if verbose && start.elapsed().as_millis() > 500 {
            eprintln!("seed {seed} took {:?}", start.elapsed());
        }
    }
    println!(
        "{programs} programs: {positions} positions, {moves} moves, {with_moves} with moves, {faults} with \
         faults, {limits} at a limit, {symmetric} with symmetries, {rejected} rejected, not compiled: {unsupported:?}"
    );
    assert!(failures.is_empty(), "{}", failures.join("\n----\n"));
    if programs >= 500 {
        let not_compiled: usize = unsupported.values().sum();
        assert!(not_compiled as u64 * 50 < programs, "too many programs are not compiled: {unsupported:?}");
        assert!(rejected * 20 < programs, "too many programs are rejected: {rejected}");
        assert!(with_moves as u64 * 2 > programs, "too few programs have moves: {with_moves}");
        assert!(faults as u64 * 50 > programs, "too few programs have faults: {faults}");
    }
}
