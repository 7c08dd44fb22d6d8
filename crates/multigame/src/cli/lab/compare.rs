//! What can be asked of experiments without a file, and of pictures.

use std::path::PathBuf;

use clap::Args;
use lab::experiment::names::Named;
use lab::experiment::values::{Ask, Trouble};
use parallel::stealing::TableKind;

use super::{Speedup, by_name, from_one};
use crate::cli::Generator;

/// What all experiments have in common.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// A name that `multigame games` lists, a path to a file of rules, or native:NAME
    pub(crate) game: String,
    /// A suite of test positions, by name or path; without it, the start of the game
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Option<String>,
    /// Only the first positions of the suite
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) first: Option<u32>,
    /// How deep to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=100))]
    pub(crate) depth: i32,
    /// Numbers of virtual processors, separated by commas
    #[arg(long, value_name = "N,N,…", default_value = "16", value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(1..=fabric::simulation::PROCESSORS_MAX as u64))]
    pub(crate) processors: Vec<u64>,
    /// Networks, separated by commas: shared, infiniband, ethernet, myrinet or transputer
    #[arg(long = "network", value_name = "NETWORK,…", default_value = "infiniband", value_delimiter = ',')]
    pub(crate) networks: Vec<String>,
    /// Which processors are wired to which: full, debruijn, torus or grid; without it, as the network usually is
    #[arg(long, value_name = "TOPOLOGY")]
    pub(crate) topology: Option<String>,
    /// Where virtual processors keep what they find out; without it, partitioned
    #[arg(long, value_name = "KIND", value_parser = by_name::<TableKind>())]
    pub(crate) tables: Option<Named<TableKind>>,
    /// Memory for the table of each processor, in KiB
    #[arg(long, value_name = "KIB", default_value_t = 2500, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub(crate) table: u32,
    /// Nodes that are searched less deep than this keep their moves; without it, as the engine has it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=100))]
    pub(crate) least_depth: Option<i32>,
    /// Which processor is asked for work: anybody, passed, neighbours or father (see `lab speedup`); without it, as the
    /// engine has it
    #[arg(long, value_name = "WHO")]
    pub(crate) ask: Option<Ask>,
    /// What goes wrong with several processors, by seed, as in delays,slow=2,dies=1 (see `lab speedup`)
    #[arg(long, value_name = "FAULTS")]
    pub(crate) faults: Option<Trouble>,
    /// Seeds, separated by commas: one run each
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seeds: Vec<u64>,
    /// How many runs to make side by side; without it, one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: Option<u32>,
    /// Write the experiment as a file for `lab run`
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Write the figures to a file of comma-separated values
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the figures to a Markdown file
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Draw the figures into an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// What generates the moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
}

/// `lab compare`.
#[derive(Args, Debug)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Ways to share out work, separated by commas
    #[arg(
        long,
        value_name = "ENGINE,…",
        default_value = "ybwc,jamboree,pvsplit,abdada,lazysmp",
        value_delimiter = ','
    )]
    pub(crate) engines: Vec<String>,
}

/// `lab ablate`.
#[derive(Args, Debug)]
pub(crate) struct Ablate {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How work is shared out
    #[arg(long, value_name = "ENGINE", default_value = "ybwc")]
    pub(crate) engine: String,
}

/// `lab trace`.
#[derive(Args, Debug)]
pub(crate) struct Trace {
    #[command(flatten)]
    pub(crate) run: Speedup,
    /// Which position of the suite, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = from_one())]
    pub(crate) number: usize,
    /// Write the trace to a JSON file for Perfetto (ui.perfetto.dev) or chrome://tracing
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
}

/// `lab tree`.
#[derive(Args, Debug)]
pub(crate) struct Tree {
    #[command(flatten)]
    pub(crate) run: Speedup,
    /// Which position of the suite, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = from_one())]
    pub(crate) number: usize,
    /// How many plies to draw
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) plies: usize,
    /// How many sons of a node to draw
    #[arg(long, value_name = "N", default_value_t = lab::tree::WIDTH_USUAL)]
    pub(crate) width: usize,
}
