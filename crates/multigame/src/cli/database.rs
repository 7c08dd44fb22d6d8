//! `database build|verify|info|list`: what can be asked for.

use clap::{Args, Subcommand};

use super::GameChoice;
use super::engine::seconds;
use crate::memory::{table_mib, usual_mib};

/// What to do with pattern databases.
#[derive(Subcommand, Debug)]
pub(crate) enum Database {
    /// Make the databases of a puzzle: the largest that --time and --memory allow, or those that --patterns names
    ///
    /// Those that are there already are left alone. A build that was interrupted goes on where it was.
    Build(Build),
    /// Check databases: every entry against every move
    Verify(Chosen),
    /// Say what a puzzle looks like to databases, and which ones solve would use
    Info(Chosen),
    /// List the databases on this machine
    List,
}

/// Which puzzle.
#[derive(Args, Debug)]
pub(crate) struct Chosen {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    /// Memory for databases, in MiB
    #[arg(long, value_name = "MB", default_value_t = usual_mib(2048), value_parser = table_mib)]
    pub(crate) memory: u32,
}

/// `database build GAME`
#[derive(Args, Debug)]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// About how many seconds it may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) time: f64,
    /// Groups of pieces, numbered as `info` shows them: 1,2,3,4/5,6,7,8
    #[arg(long, value_name = "GROUPS")]
    pub(crate) patterns: Option<String>,
    /// Make them anew, whatever is there
    #[arg(long)]
    pub(crate) again: bool,
}
