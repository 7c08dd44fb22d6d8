//! `fit GAME [FILE…]`

use std::path::PathBuf;

use clap::Args;

/// `fit GAME [FILE…]`
#[derive(Args, Debug)]
pub(crate) struct Fit {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// Positions with their worth (EPD with `ce`), or games with their results (PGN); `-` for standard input. Without
    /// any, the program plays against itself
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Begin with an evaluation made of what the rules suggest: for rules that have none
    #[arg(long)]
    pub(crate) suggest: bool,
    /// Where to write the rules with the new numbers; without it they are printed
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How many positions it takes to move a number that matters by half its way
    #[arg(long, value_name = "N", default_value_t = 20.0, value_parser = trust)]
    pub(crate) trust: f64,
    /// Games: leave out so many plies at the beginning
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) skip_plies: usize,
    /// Fit only the numbers of these tables, rules and features, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Games against itself: how often to play, fit and test
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rounds: u32,
    /// Games against itself: games of a round
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,
    /// Games against itself: nodes of each search, also in tests
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) nodes: u64,
    /// Games against itself begin with up to so many random moves
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=200))]
    pub(crate) random_plies: u32,
    /// Games against itself: games of a test at most; one that is open then is not passed
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) test_games: u64,
}

fn trust(text: &str) -> Result<f64, String> {
    let trust: f64 = text.parse().map_err(|_| "give a number such as 20".to_owned())?;
    if (1e-3..=1e12).contains(&trust) {
        Ok(trust)
    } else {
        Err("give a number from 0.001 to 1e12".to_owned())
    }
}
