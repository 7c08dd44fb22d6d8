//! What can be asked of the laboratory.

mod compare;
mod run;
mod tune;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use fabric::simulation::{Network, PROCESSORS_MAX, Topology};
use lab::experiment::names::{Algorithm, Choice, Named};
use lab::experiment::values::{Ask, Trouble};
use lang::diagnostic::did_you_mean;
use parallel::Method;
use parallel::method::SIDE_BY_SIDE;
use parallel::stealing::{Policy, TableKind};
use parallel::tables::AHEAD_MAX;
use parallel::tds::Scheduling;

use super::{EvaluationChoice, GameChoice, Generator};

pub(crate) use compare::{Ablate, Common, Compare, Trace, Tree};
pub(crate) use run::{Run, Tables};
pub(crate) use tune::{Tune, TunedFabric};

/// Experiments.
#[derive(Args, Debug)]
pub(crate) struct Lab {
    #[command(subcommand)]
    pub(crate) experiment: LabCommand,
}

/// The experiments.
#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// How much faster a search is on several processors, and what they lose the rest of their time to
    ///
    /// Searches the positions of a suite to a depth on each number of processors. Speedup, search overhead, load and
    /// performance are those of Feldmann's thesis: sums over all positions, then divided. Exact searches are checked:
    /// the value of every position is that of one processor. With --json: one object per number of processors.
    Speedup(Box<Speedup>),
    /// Algorithms side by side: the same positions, machine and sequential search for all
    ///
    /// With --json: one object per engine, machine and number of processors.
    Compare(Box<Compare>),
    /// What each part of a parallel search is worth: switches them off or replaces them, one by one
    ///
    /// With --json: one object per part.
    Ablate(Box<Ablate>),
    /// One run: what all processors did over time, as a picture and as a trace for Perfetto
    Trace(Box<Trace>),
    /// One run: the top of the searched tree with windows, kinds of nodes, cuts and which processor searched what, as a
    /// picture
    Tree(Box<Tree>),
    /// Tables of the programs before this one, beside our own figures
    ///
    /// Without a name: all names. With --json: one object per figure, or per table.
    Tables(Tables),
    /// Make the experiment that a file describes, and go on with it if it was stopped
    ///
    /// Every result is kept as soon as it is known, in FILE.results.jsonl: the same command goes on where it was
    /// stopped. At the end, and when it is stopped, all figures are written to FILE.csv, FILE.md and FILE.svg. With
    /// --json: one object per game, machine, engine and number of processors.
    Run(Run),
    /// Measure what a node of a game costs on this machine
    Calibrate(Calibrate),
    /// Find the values with which a search is shared best, and keep them for --threads and for clusters
    ///
    /// Measures the positions of a suite with other values for the least depth that is given away, or that peers tell
    /// each other of, and with tables of several processors for the depth from which others are told and for how many
    /// entries make a message: each in turn, as long as it helps. Of several engines the fastest is kept in mind.
    /// What was found is used by all commands that search from then on. Without a game: shows what was found. With
    /// --json: one object for each engine.
    Tune(Box<Tune>),
}

/// What the processors are.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FabricName {
    /// Threads of this machine
    Threads,
    /// Processes that mpirun started, each with --threads N (only `lab speedup`)
    Mpi,
    /// Any number of virtual processors in virtual time
    Virtual,
}

/// Where the keys of signatures come from.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeysName {
    /// From slots and values, well mixed
    Mixed,
    /// From a code that corrects errors: positions that differ in up to seven things have different signatures
    Coded,
}

/// `lab speedup`.
#[derive(Args, Debug)]
pub(crate) struct Speedup {
    /// A name that `multigame games` lists, a path to a file of rules, or native:NAME
    pub(crate) game: String,
    /// A suite of test positions, by name or path; without it, the start of the game
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Option<String>,
    /// Only the first positions of the suite
    #[arg(long, value_name = "N", value_parser = from_one())]
    pub(crate) first: Option<usize>,
    /// How deep to search; of puzzles: the longest solution to look for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=100))]
    pub(crate) depth: i32,
    /// How work is shared out: ybwc, ybwc-1, ybwc-1-2, ybwc*, ybwc-1-2*, jamboree, treesplit, pvsplit, dpvs, epvs,
    /// dm-pvsplit, mwf, keynode, waycool, dts, bound-and-branch, dbte, cabp, frontier, alpha-beta*, abdada, lazysmp,
    /// aspiration, uidpabs, aphid, er, sss or tdsab (see docs/taxonomy.md); side-by-side for what `--threads` does;
    /// puzzles: tds or stealing
    #[arg(long, value_name = "ENGINE", default_value = "ybwc", value_parser = policy)]
    pub(crate) engine: NamedPolicy,
    /// What one processor does; without it, negascout
    #[arg(long, value_name = "NAME", value_parser = by_name::<Algorithm>())]
    pub(crate) algorithm: Option<Named<Algorithm>>,
    /// What the processors are
    #[arg(long, value_enum, default_value_t = FabricName::Virtual)]
    pub(crate) fabric: FabricName,
    /// The network of virtual processors; without it, infiniband
    #[arg(long, value_name = "NETWORK", value_parser = by_name::<Network>())]
    pub(crate) network: Option<Named<Network>>,
    /// Which processors are wired to which; without it, as the network usually is
    #[arg(long, value_name = "TOPOLOGY", value_parser = by_name::<Topology>())]
    pub(crate) topology: Option<Named<Topology>>,
    /// Numbers of processors, separated by commas; 1 is always measured. Without it, 1,2,4,8,16, and with --fabric mpi
    /// as many as there are
    #[arg(long, value_name = "N,N,…", value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(1..=PROCESSORS_MAX as u64))]
    pub(crate) processors: Vec<u64>,
    /// Where virtual processors keep what they find out: one table for all, parts of one table, copies of one that
    /// tell each other, tables that tell each other what is deep and are asked about the rest, or each its own;
    /// without it, partitioned
    #[arg(long, value_name = "KIND", value_parser = by_name::<TableKind>())]
    pub(crate) tables: Option<Named<TableKind>>,
    /// Memory for the table of each processor, in KiB
    #[arg(long, value_name = "KIB", default_value_t = 2500, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub(crate) table: u32,
    /// Searches of less depth neither ask nor tell the tables of other processors; without it, those of depth 0
    #[arg(long, value_name = "N")]
    pub(crate) table_depth: Option<u8>,
    /// Do not ask the table of another processor before the answer is needed
    #[arg(long)]
    pub(crate) no_prefetch: bool,
    /// Send so many entries for one processor in a message, where tables are in parts; without it, each by itself
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) combine: Option<u16>,
    /// Ask about so many children of a node before the first answer is looked at, where tables are in parts; without
    /// it, about one after the other
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=AHEAD_MAX as i64), conflicts_with = "no_prefetch")]
    pub(crate) ahead: Option<u16>,
    /// All processors together have as much memory for tables as one
    #[arg(long)]
    pub(crate) equal_memory: bool,
    /// Puzzles: each processor holds a part of the pattern databases, and positions travel to where their entries are
    #[arg(long)]
    pub(crate) divided: bool,
    /// Puzzles: bounds of sliding tiles come from pattern databases, as `solve` has them, and not from single tiles
    #[arg(long)]
    pub(crate) patterns: bool,
    /// Search as players do, with pruning and reductions: values may differ from those of one processor
    #[arg(long)]
    pub(crate) selective: bool,
    /// Nodes that are searched less deep than this keep their moves; without it, all share them, and side-by-side those
    /// that it shares with `--threads`. Of puzzles: states with so few moves left are searched to the end by the
    /// processor that has them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=100))]
    pub(crate) least_depth: Option<i32>,
    /// Which processor is asked for work: anybody; passed (anybody, which passes the request on to neighbours);
    /// neighbours (which do the same); or father (in a fixed tree). passed=N and neighbours=N pass it on at most N
    /// times (usually 8), father=N has N sons (usually 16). Without it, what the engine says
    #[arg(long, value_name = "WHO")]
    pub(crate) ask: Option<Ask>,
    /// What goes wrong with several virtual processors, by seed: delays=TIMES (messages are late by up to so many
    /// latencies, usually 20), slow=COUNT (so many processors are three times as slow; slow=COUNTxTIMES), dies=COUNT.
    /// As in delays,slow=2,dies=1
    #[arg(long, value_name = "FAULTS")]
    pub(crate) faults: Option<Trouble>,
    /// Do not take a result for a request
    #[arg(long)]
    pub(crate) no_return_requests: bool,
    /// Keep requests that cannot be met until they can be, as real processors do
    #[arg(long)]
    pub(crate) keep_requests: bool,
    /// Do not work for others while waiting for them
    #[arg(long)]
    pub(crate) no_help: bool,
    /// Where a cut is expected, have no more moves out than have been searched
    #[arg(long)]
    pub(crate) slow_start: bool,
    /// After each iteration, tell each other which moves were good
    #[arg(long)]
    pub(crate) exchange: bool,
    /// Where the keys of signatures come from; coded ones are those of Zugzwang, for rules alone
    #[arg(long, value_enum, default_value_t = KeysName::Mixed)]
    pub(crate) signatures: KeysName,
    /// What a node costs on a modern processor, in nanoseconds; without it, the game's constant
    #[arg(long, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) node_cost: Option<u64>,
    /// Write the figures to a file of comma-separated values
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw a picture into an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// What generates the moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
}

impl Speedup {
    pub(crate) fn choice(&self) -> GameChoice {
        GameChoice { game: self.game.clone(), position: None, generator: self.generator }
    }
}

/// Reads what has a name in experiments.
pub(crate) fn by_name<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = Named<T>> {
    PossibleValuesParser::new(T::all().into_iter().map(|(name, _)| name)).try_map(|name| Named::find(&name))
}

/// Reads how many, or which one.
pub(crate) fn from_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1_000_000)
}

/// `lab calibrate`.
#[derive(Args, Debug)]
pub(crate) struct Calibrate {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// How long to measure, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = super::engine::seconds)]
    pub(crate) time: f64,
}

/// A way to share out work, with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedPolicy {
    pub(crate) name: &'static str,
    pub(crate) policy: Policy,
    /// How puzzles are shared out, if it is for those.
    pub(crate) puzzle: Option<Scheduling>,
}

impl NamedPolicy {
    /// What `--threads` does.
    pub(crate) fn side_by_side() -> NamedPolicy {
        NamedPolicy { name: SIDE_BY_SIDE, policy: Method::default().side_by_side(), puzzle: None }
    }

    /// How brothers are given away if nothing else is said.
    pub(crate) fn ybwc() -> NamedPolicy {
        NamedPolicy { name: "ybwc", policy: Policy::YBWC, puzzle: None }
    }

    /// How deep nodes are at least whose moves are shared, where nothing else is said.
    pub(crate) fn usual_least_depth(&self) -> i32 {
        if self.name == SIDE_BY_SIDE { self.policy.depth_min } else { 1 }
    }
}

/// How puzzles are shared out.
const PUZZLE_ENGINES: [(&str, Scheduling); 2] =
    [("tds", Scheduling::Home), ("stealing", Scheduling::Stealing)];

fn known<'names>(name: &str, names: impl Iterator<Item = &'names str> + Clone) -> String {
    did_you_mean(name, names.clone())
        .unwrap_or_else(|| format!("there are {}", names.collect::<Vec<_>>().join(", ")))
}

fn policy(name: &str) -> Result<NamedPolicy, String> {
    if let Some((name, scheduling)) = PUZZLE_ENGINES.into_iter().find(|(known, _)| *known == name) {
        return Ok(NamedPolicy { name, policy: Policy::YBWC, puzzle: Some(scheduling) });
    }
    let usual = (SIDE_BY_SIDE, NamedPolicy::side_by_side().policy);
    let found = Policy::NAMED.into_iter().chain([usual]).find(|(known, _)| *known == name);
    let puzzles = PUZZLE_ENGINES.iter().map(|(name, _)| *name);
    let names = Policy::NAMED.iter().map(|(name, _)| *name).chain([SIDE_BY_SIDE]).chain(puzzles);
    let reason = || Policy::elsewhere(name).unwrap_or_else(|| known(name, names));
    found.map(|(name, policy)| NamedPolicy { name, policy, puzzle: None }).ok_or_else(reason)
}
