//! `match [GAME] --first A --second B`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::RulesChoice;
use crate::contest::pace::{Clock, Pace, seconds};
use crate::contest::rating::Sprt;
use crate::contest::setting::Setting;

/// `match [GAME]`
#[derive(Args, Debug)]
pub(crate) struct Match {
    #[command(flatten)]
    pub(crate) rules: RulesChoice,
    /// The first player: `engine=negascout,depth=4,without=null-move+futility`, or `uci:PROGRAM ARGUMENTS`
    #[arg(long, value_name = "SETTING", value_parser = Setting::read)]
    pub(crate) first: Setting,
    /// The second player
    #[arg(long, value_name = "SETTING", value_parser = Setting::read)]
    pub(crate) second: Setting,
    /// An option of the first player, a UCI program; may be given often
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) first_option: Vec<String>,
    /// An option of the second player, a UCI program; may be given often
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) second_option: Vec<String>,
    /// Limits of the first player alone, such as `depth=4` or `nodes=1000,time=10+0.1`
    #[arg(long, value_name = "LIMITS", value_parser = Pace::read)]
    pub(crate) first_limit: Option<Pace>,
    /// Limits of the second player alone
    #[arg(long, value_name = "LIMITS", value_parser = Pace::read)]
    pub(crate) second_limit: Option<Pace>,
    /// How many games; an even number gives both players the same openings with both colours
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,
    /// How many games are played at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) concurrency: Option<u32>,
    /// Seconds for the game and for every move, such as 10+0.1
    #[arg(long, value_name = "SECONDS+SECONDS", value_parser = Clock::read)]
    pub(crate) time: Option<Clock>,
    /// Seconds for every move
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) movetime: Option<Duration>,
    /// How many moves to look ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=200))]
    pub(crate) depth: Option<i32>,
    /// How many nodes to search at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Milliseconds that a player may be late
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=600_000))]
    pub(crate) margin: u64,
    /// Begin with the positions (FEN, EPD) or games (PGN) of a file, or of a suite
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub(crate) openings: Option<String>,
    /// How many plies of each game of a PGN file are an opening
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) opening_plies: usize,
    /// Begin with so many random moves, different ones for each pair of games; 4 without --openings
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=200))]
    pub(crate) random_plies: Option<u32>,
    /// An opening book for our engines; `multigame book build` makes one
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,
    /// A player whose score is below -SCORE for MOVES moves loses
    #[arg(long, value_name = "SCORE,MOVES", value_parser = resign)]
    pub(crate) resign: Option<(i32, u32)>,
    /// From PLY on, a game is drawn when both scores stay within SCORE for MOVES moves
    #[arg(long, value_name = "PLY,MOVES,SCORE", value_parser = draw)]
    pub(crate) draw: Option<(u32, u32, i32)>,
    /// A game as long as this is drawn
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_plies: u32,
    /// End as soon as it is clear which of the differences ELO0 and ELO1 is likelier
    #[arg(long, value_name = "ELO0,ELO1,ALPHA,BETA", value_parser = Sprt::read, allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
    /// Write all games to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
}

impl Match {
    /// The limits for both players.
    pub(crate) fn pace(&self) -> Pace {
        Pace { depth: self.depth, nodes: self.nodes, move_time: self.movetime, clock: self.time }
    }
}

fn resign(text: &str) -> Result<(i32, u32), String> {
    let usage = || "give SCORE,MOVES, such as 600,4".to_owned();
    let (score, moves) = text.split_once(',').ok_or_else(usage)?;
    match (score.trim().parse(), moves.trim().parse()) {
        (Ok(score), Ok(moves)) if score > 0 && moves > 0 => Ok((score, moves)),
        _ => Err(usage()),
    }
}

fn draw(text: &str) -> Result<(u32, u32, i32), String> {
    let usage = || "give PLY,MOVES,SCORE, such as 80,8,10".to_owned();
    let parts: Vec<u32> = text.split(',').map_while(|part| part.trim().parse().ok()).collect();
    match parts[..] {
        [ply, moves, score] if moves > 0 && score <= 1 << 20 && text.matches(',').count() == 2 => {
            Ok((ply, moves, score as i32))
        }
        _ => Err(usage()),
    }
}
