//! What the examples share: games of the library, compiled, and the processor time of this thread.

#![allow(dead_code, unreachable_pub)] // each example uses a part

use std::time::Duration;

use jit::{Compiled, Options};
use rules::Program;

/// Positions of all games of the library that the examples play fit in so many words.
pub const WORDS: usize = 64;

/// A game as the examples use it.
pub type Library = Compiled<WORDS>;

/// The program of a game: a name of the library, or a path.
pub fn program(name: &str) -> Program {
    let path = match name.contains('/') {
        true => name.to_owned(),
        false => format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR")),
    };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let source = lang::Source::new(name, text);
    rules::compile(&source, None).unwrap_or_else(|error| panic!("{name}: {error:?}")).0
}

/// Machine code for a program.
pub fn compiled(program: &Program) -> Library {
    Compiled::new(program, Options::default()).unwrap_or_else(|error| panic!("{}", error.reason))
}

/// The processor time that this thread has used: on a busy machine a better measure than the time of day.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Where the system does not tell: the time since the first question.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed()
}

/// The value behind `--name`.
pub fn option(name: &str) -> Option<String> {
    let arguments: Vec<String> = std::env::args().collect();
    let place = arguments.iter().position(|argument| argument == &format!("--{name}"))?;
    arguments.get(place + 1).cloned()
}

/// The number behind `--name`, or the usual one.
pub fn number(name: &str, usual: u64) -> u64 {
    option(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("--{name} wants a number")))
}

/// The usual switches, changed by `--with a,b` and `--without c,d`.
pub fn heuristics() -> search::Heuristics {
    let mut heuristics = search::Heuristics::default();
    for (flag, on) in [("with", true), ("without", false)] {
        for name in option(flag).iter().flat_map(|names| names.split(',')) {
            assert!(heuristics.set(name, on), "there is no switch {name}");
        }
    }
    heuristics
}
