//! `search`, `suite`, `uci`, `solve`, `play`: the commands that think about a game for two.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use parallel::tds::Scheduling;
use search::proof::Order;

use super::engine::{EngineChoice, EvaluationChoice, LimitChoice, algorithm, seconds};
use super::{GameChoice, Generator};
use crate::memory::{table_mib, usual_mib};
use crate::solver::Bound;

/// `search GAME --depth N`
#[derive(Args, Debug)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
    #[command(flatten)]
    pub(crate) limits: LimitChoice,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// Search without a limit, until Ctrl-C
    #[arg(long, conflicts_with_all = ["depth", "time", "nodes"])]
    pub(crate) infinite: bool,
    /// How many best moves to find, each with its line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) multipv: u32,
    /// Also print what each part of the search counted, and what threads or processes did
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Keep what is found out in this file: the same command goes on from there, however it ended
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
}

/// `suite GAME FILE`
#[derive(Args, Debug)]
pub(crate) struct Suite {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// A file of positions, `-` for standard input, or the name of a suite
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// What finds the legal moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
    #[command(flatten)]
    pub(crate) limits: LimitChoice,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// Write a table: one line for each position
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Also print what each part of the search counted, and what threads or processes did, in all positions together
    #[arg(long, conflicts_with = "csv")]
    pub(crate) statistics: bool,
    /// Only the first N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) first: Option<u32>,
}

impl Suite {
    /// The game, from its start.
    pub(crate) fn choice(&self) -> GameChoice {
        GameChoice { game: self.game.clone(), position: None, generator: self.generator }
    }
}

/// The rules that are played by with other programs, and what judges positions.
#[derive(Args, Debug)]
pub(crate) struct RulesChoice {
    /// A name that `multigame games` lists, or a path to a file of rules
    #[arg(default_value = "chess")]
    pub(crate) game: String,
    /// What finds the legal moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
}

/// `uci [GAME]`
#[derive(Args, Debug)]
pub(crate) struct Uci {
    #[command(flatten)]
    pub(crate) rules: RulesChoice,
    /// An opening book, as the options BookFile and OwnBook set it
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<String>,
}

/// `xboard [GAME]`
#[derive(Args, Debug)]
pub(crate) struct Xboard {
    #[command(flatten)]
    pub(crate) rules: RulesChoice,
}

/// `solve GAME`
#[derive(Args, Debug)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// Two players: dfpn, pns, exhaustive, or a full-width engine such as negascout; without it, dfpn, exhaustive
    /// and pns in turn.
    /// Puzzles: ida, or on several processors tds (what --threads uses) or stealing
    #[arg(long, value_name = "ENGINE", value_parser = solving_engine)]
    pub(crate) engine: Option<SolvingEngine>,
    /// Memory for what the search remembers, in MiB
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = table_mib)]
    pub(crate) hash: u32,
    /// How many seconds to search at most; without it, until it is solved
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// How many nodes to search at most
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    /// With --engine exhaustive: the points to ask about first; if not given, whether the mover wins
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = clap::value_parser!(i32).range(-1_000_000..=1_000_000))]
    pub(crate) guess: Option<i32>,
    /// With --engine exhaustive: how moves are ordered, such as history=1,replies=2,moves=0,evaluation=2
    #[arg(long, value_name = "WEIGHTS", value_parser = order)]
    pub(crate) order: Option<Order>,
    /// With --engine exhaustive: keep what is known in this file, saved every 20 seconds (large tables less often)
    /// and at the end; go on from there if it is there
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Puzzles: all shortest solutions, not just one
    #[arg(long)]
    pub(crate) all: bool,
    /// Puzzles: the least sum of this `move` property of the rules instead of the fewest moves
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) cost: Option<String>,
    /// Puzzles: all positions of a suite, such as korf15, fifteen-hardest, korf24 or rubik, or of a file; --time and
    /// --nodes are for each
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["all", "cost", "engine", "checkpoint"])]
    pub(crate) suite: Option<String>,
    /// With --suite: only these of its positions, by their names: 1,5,13
    #[arg(long, value_name = "NAMES", requires = "suite")]
    pub(crate) only: Option<String>,
    /// Puzzles: memory for positions and pattern databases, in MiB
    #[arg(long, value_name = "MB", default_value_t = usual_mib(2048), value_parser = table_mib)]
    pub(crate) memory: u32,
    /// Puzzles: what says how far a position is at least from the solution
    #[arg(long, value_enum, default_value_t = Bound::Automatic)]
    pub(crate) bound: Bound,
    /// Puzzles on several processors: each holds a part of the pattern databases, and positions travel to where their
    /// entries are
    #[arg(long, conflicts_with_all = ["all", "cost", "suite"])]
    pub(crate) divided: bool,
}

/// What solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SolvingEngine {
    /// A game for two.
    Search(search::Engine),
    /// A puzzle.
    Puzzle(PuzzleEngine),
}

/// What solves a puzzle whose moves carry pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PuzzleEngine {
    /// One processor.
    Ida,
    /// Several.
    Shared(Scheduling),
}

impl PuzzleEngine {
    const NAMED: [(&'static str, PuzzleEngine); 3] = [
        ("ida", PuzzleEngine::Ida),
        ("tds", PuzzleEngine::Shared(Scheduling::Home)),
        ("stealing", PuzzleEngine::Shared(Scheduling::Stealing)),
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        PuzzleEngine::NAMED.iter().find(|(_, engine)| *engine == self).map_or("", |(name, _)| name)
    }
}

fn solving_engine(name: &str) -> Result<SolvingEngine, String> {
    let known = PuzzleEngine::NAMED.into_iter().find(|(known, _)| *known == name);
    known.map_or_else(
        || algorithm(name).map(SolvingEngine::Search),
        |(_, engine)| Ok(SolvingEngine::Puzzle(engine)),
    )
}

fn order(text: &str) -> Result<Order, String> {
    let mut order = Order::default();
    for item in text.split(',') {
        let (name, weight) = item.split_once('=').unwrap_or((item, ""));
        let known = weight.trim().parse().ok().filter(|weight| (-1_000_000..=1_000_000).contains(weight));
        if !known.is_some_and(|weight| order.set(name.trim(), weight)) {
            return Err(format!(
                "`{item}` is no weight: give NAME=NUMBER, where NAME is one of {}",
                Order::NAMES.join(", ")
            ));
        }
    }
    Ok(order)
}

/// `play GAME`
#[derive(Args, Debug)]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// Which side you play; the side that begins if not given
    #[arg(long, value_enum)]
    pub(crate) side: Option<Side>,
    /// How well the computer plays: beginner, casual, club, strong, full, or a number from 0 to 20
    #[arg(long, value_name = "LEVEL", default_value = "full", value_parser = super::level)]
    pub(crate) level: protocol::Level,
    /// How many moves the computer looks ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) depth: Option<u32>,
    /// How many seconds the computer thinks about a move at most
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    pub(crate) time: f64,
    /// Puzzles: how many random moves away from the setup to begin; without it, 40 if the setup is solved and you play
    /// at a terminal or with --seed, otherwise none
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub(crate) scramble: Option<u32>,
    /// An opening book for the computer; `multigame book build` makes one
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,
}

/// Who is played by the person at the keyboard.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// You play white
    White,
    /// You play black
    Black,
    /// You play both sides
    Both,
    /// The computer plays both sides
    None,
}
