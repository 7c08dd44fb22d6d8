//! `lab tune`.

use clap::{Args, ValueEnum};
use fabric::simulation::{Network, PROCESSORS_MAX};
use lab::experiment::names::Named;
use parallel::stealing::TableKind;

use super::{NamedPolicy, by_name, from_one, policy};
use crate::cli::{EvaluationChoice, GameChoice, Generator};

/// What the processors are for which values are found.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TunedFabric {
    /// Threads of this machine
    Threads,
    /// Any number of virtual processors in virtual time
    Virtual,
}

/// `lab tune`.
#[derive(Args, Debug)]
pub(crate) struct Tune {
    /// A name that `multigame games` lists, a path to a file of rules, or native:NAME; without it, shows what was found
    pub(crate) game: Option<String>,
    /// A suite of test positions, by name or path; without it, the start of the game
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Option<String>,
    /// Only the first positions of the suite
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub(crate) first: Option<usize>,
    /// How deep to search; of puzzles: the longest solution to look for. Without it, threads search as deep as takes
    /// long enough to be measured, and virtual processors 6 plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=100))]
    pub(crate) depth: Option<i32>,
    /// How work is shared out: side-by-side, ybwc, jamboree, dts … (see docs/taxonomy.md); without it, on threads
    /// side-by-side and ybwc, and which of them is faster; on virtual processors ybwc. For puzzles: tds
    #[arg(long, value_name = "ENGINE", value_parser = policy)]
    pub(crate) engine: Option<NamedPolicy>,
    /// What the processors are
    #[arg(long, value_enum, default_value_t = TunedFabric::Threads)]
    pub(crate) fabric: TunedFabric,
    /// The network of virtual processors
    #[arg(long, value_name = "NETWORK", default_value = "infiniband", value_parser = by_name::<Network>())]
    pub(crate) network: Named<Network>,
    /// How many processors
    #[arg(long, value_name = "N", default_value_t = 2,
        value_parser = clap::value_parser!(u64).range(2..=PROCESSORS_MAX as u64))]
    pub(crate) processors: u64,
    /// Where virtual processors keep what they find out; without it, asked, as hosts of a cluster do: they follow what
    /// is found for that kind
    #[arg(long, value_name = "KIND", value_parser = by_name::<TableKind>())]
    pub(crate) tables: Option<Named<TableKind>>,
    /// Memory for the table of each processor, in KiB
    #[arg(long, value_name = "KIB", default_value_t = 2500, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub(crate) table: u32,
    /// Search as players do, with pruning and reductions
    #[arg(long)]
    pub(crate) selective: bool,
    /// Forget what was found for the game
    #[arg(long, conflicts_with_all = ["suite", "first", "depth", "engine", "fabric", "network", "processors", "tables"],
        requires = "game")]
    pub(crate) forget: bool,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// What generates the moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
}

impl Tune {
    /// The engines to find values for.
    pub(crate) fn engines(&self) -> Vec<NamedPolicy> {
        match (self.engine, self.fabric) {
            (Some(engine), _) => vec![engine],
            (None, TunedFabric::Threads) => vec![NamedPolicy::side_by_side(), NamedPolicy::ybwc()],
            (None, TunedFabric::Virtual) => vec![NamedPolicy::ybwc()],
        }
    }

    pub(crate) fn choice(&self, game: &str) -> GameChoice {
        GameChoice { game: game.to_owned(), position: None, generator: self.generator }
    }
}
