//! `compile` and `bench`: what the program itself does, and how fast.

use clap::{Args, ValueEnum};

/// `compile GAME`
#[derive(Args, Debug)]
pub(crate) struct Compile {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// What to print
    #[arg(long, value_enum)]
    pub(crate) emit: Option<Emit>,
    /// Only rules or functions whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Passes to leave out
    #[arg(long, value_name = "PASS,…", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// With --emit ir: only the rules as they are compiled, not what each pass changes
    #[arg(long = "final")]
    pub(crate) only_final: bool,
}

/// What can be printed of a compilation.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Emit {
    /// The intermediate form: all rules before the passes, then what each pass changes
    Ir,
    /// Cranelift's form, before its own optimisations
    Clif,
    /// Machine code
    Asm,
}

/// `bench [WHAT]`
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// What to measure
    #[arg(value_enum)]
    pub(crate) what: Option<BenchKind>,
    /// Only these games; all that have a figure if none is given
    pub(crate) games: Vec<String>,
    /// How often each figure is measured; the best one counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
}

/// What can be measured.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BenchKind {
    /// Leaves a second of compiled rules, beside hand-written games
    Generators,
    /// What each pass of the compiler gains: leaves a second with it switched off
    Passes,
    /// Random games a second
    Playouts,
    /// Korf's hundred 15-puzzles: nodes a second with single distances, nodes and time with pattern databases
    Puzzles,
    /// Nodes a second of the engine, beside fairy-stockfish where it is installed and knows the game
    Search,
}
