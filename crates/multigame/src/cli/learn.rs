//! `learn GAME`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::engine::{Evaluation, seconds};

/// `learn GAME`
#[derive(Args, Clone, Debug)]
pub(crate) struct Learn {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// How long to learn, in seconds; without it, until Ctrl-C or --generations
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// How many generations to learn in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) generations: Option<u32>,
    /// Where the state is kept; usually in a folder of the user's data
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Forget what the folder has and begin anew
    #[arg(long)]
    pub(crate) restart: bool,
    /// Write the best network to this file too, and leave the user's networks alone
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Learn a policy for Monte Carlo search (--engine mcts) instead of a network
    #[arg(long, conflicts_with_all = ["samples", "alone"])]
    pub(crate) policy: bool,
    /// Play and write positions for another trainer to this file: no network is trained
    #[arg(long, value_name = "FILE")]
    pub(crate) samples: Option<PathBuf>,
    /// What the first games are played with, and the first network has to beat: plain, rules, derived, none, network or
    /// network:FILE
    #[arg(long, value_name = "EVALUATION", default_value = "plain", value_parser = Evaluation::read)]
    pub(crate) from: Evaluation,
    /// Learn a network that judges alone, instead of one that corrects the plain evaluation
    #[arg(long)]
    pub(crate) alone: bool,
    /// Games of a generation
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) nodes: u64,
    /// Games begin with up to so many random moves
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=200))]
    pub(crate) random_plies: u32,
    /// Sums of each view in the first layer: a multiple of 16; 0 for patterns alone
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = width)]
    pub(crate) width: u32,
    /// Neurons of the dense layer
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) hidden: u32,
    /// Dense layers, by the number of pieces that are left
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) phases: u32,
    /// Tables of patterns, which are lines and squares, by the number of pieces that are left; 0 does without
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=16))]
    pub(crate) patterns: u32,
    /// How often each position is looked at in a generation
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) epochs: u32,
    /// How much the result of a game counts beside what the search said, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.6, value_parser = part)]
    pub(crate) result_share: f32,
    /// Games of a test at most
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) test_games: u64,
    #[command(flatten)]
    pub(crate) of_policy: OfPolicy,
}

/// What is said of a policy that is learned.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of --policy")]
pub(crate) struct OfPolicy {
    /// What plays the first games, and has to be beaten: Monte Carlo search with random games, or the usual engine
    #[arg(long, value_enum, default_value_t = TeacherName::Mcts)]
    pub(crate) teacher: TeacherName,
    /// Playouts of each search; a teacher has four times as many, or --nodes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    pub(crate) playouts: u64,
    /// Numbers for each field: 8, 16, 24, 32 or 48
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = channels)]
    pub(crate) channels: u32,
    /// Layers behind the first
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=8))]
    pub(crate) layers: u32,
}

/// What plays the games that a policy learns from at first.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TeacherName {
    /// Monte Carlo search with random games
    Mcts,
    /// The usual engine
    Negascout,
}

fn channels(text: &str) -> Result<u32, String> {
    let known = network::policy::PolicyShape::CHANNELS;
    match text.parse::<u32>() {
        Ok(channels) if known.contains(&(channels as usize)) => Ok(channels),
        _ => Err("give 8, 16, 24, 32 or 48".to_owned()),
    }
}

fn width(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(width) if width <= 2048 && width.is_multiple_of(16) => Ok(width),
        _ => Err("give a multiple of 16 up to 2048".to_owned()),
    }
}

fn part(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(part) if (0.0..=1.0).contains(&part) => Ok(part),
        _ => Err("give a number from 0 to 1, such as 0.6".to_owned()),
    }
}
