//! `shell GAME`

use std::path::PathBuf;

use clap::Args;

use super::{EngineChoice, EvaluationChoice, GameChoice, LimitChoice};

/// `shell GAME`
#[derive(Args, Debug)]
pub(crate) struct Shell {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
    #[command(flatten)]
    pub(crate) limits: LimitChoice,
    #[command(flatten)]
    pub(crate) judged: EvaluationChoice,
    /// How well the computer plays: beginner, casual, club, strong, full, or a number from 0 to 20
    #[arg(long, value_name = "LEVEL", default_value = "full", value_parser = super::level)]
    pub(crate) level: protocol::Level,
    /// An opening book for the computer; `multigame book build` makes one
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,
    /// Another collection of games than the user's own, which the browser and `book` share
    #[arg(long, value_name = "FILE")]
    pub(crate) collection: Option<PathBuf>,
}
