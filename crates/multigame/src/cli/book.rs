//! `book build GAME`, `book show FILE`, `book add GAME`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{EngineChoice, EvaluationChoice, Generator};

/// `book …`
#[derive(Args, Debug)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) action: Action,
}

/// What to do with a book.
#[derive(Subcommand, Debug)]
pub(crate) enum Action {
    /// Make a book from other people's games, or from games of the computer against itself
    ///
    /// A move weighs two for every game that it won and one for every draw; what only lost is left out. With --json:
    /// game, games, positions, moves, bytes.
    Build(Box<Build>),
    /// Say what a book knows
    ///
    /// With --json: one object with game, positions and moves; with --position one for every move with its weight.
    Show(Show),
    /// Add other people's games to the collection, which the browser and the shell show by position
    ///
    /// With --json: game, added, known (there already), wrong (moves that cannot be played).
    Add(Add),
}

/// `book add GAME`
#[derive(Args, Debug)]
pub(crate) struct Add {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// Files of games; `-` for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub(crate) pgn: Vec<PathBuf>,
    /// Another collection than the user's own
    #[arg(long, value_name = "FILE")]
    pub(crate) collection: Option<PathBuf>,
}

/// `book build GAME`
#[derive(Args, Debug)]
pub(crate) struct Build {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// Files of games; `-` for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["selfplay", "collection"], conflicts_with = "selfplay")]
    pub(crate) pgn: Vec<PathBuf>,
    /// The games that `book add` and the browser have collected; another file of them if one is given
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "selfplay")]
    pub(crate) collection: Option<Option<PathBuf>>,
    /// Play so many games against itself
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) selfplay: Option<u64>,
    /// Where to write the book
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How many plies of each game are kept
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) plies: u32,
    /// Self-play: how many moves the computer looks ahead
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(i32).range(1..=200))]
    pub(crate) depth: i32,
    /// Self-play: how many of the best moves are tried in the first plies
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) breadth: u32,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// What finds the legal moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
}

/// `book show FILE`
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// A book
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The moves that it knows in a position, `start` for that of the game
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// The rules, if the book's own name does not tell: a name or a path
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
}
