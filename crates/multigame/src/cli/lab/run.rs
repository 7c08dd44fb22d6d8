//! What can be asked of experiments in files.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Generator;

/// `lab run`.
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// The experiment: a TOML file (docs/laboratory.md says what may stand in it)
    pub(crate) file: PathBuf,
    /// Where results and figures go; without it, beside the file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// How many virtual runs to make side by side; without it, one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: Option<u32>,
    /// Begin no more runs after so many seconds; the next call goes on from there
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::engine::seconds)]
    pub(crate) time: Option<f64>,
    /// Forget earlier results: the file of results is kept under another name
    #[arg(long)]
    pub(crate) fresh: bool,
    /// What generates the moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
}

/// `lab tables`.
#[derive(Args, Debug)]
pub(crate) struct Tables {
    /// Which table; without it, their names
    pub(crate) name: Option<String>,
    /// Take our figures from this folder (NAME.csv, as `lab run` writes them); without it, those that came with the
    /// program
    #[arg(long, value_name = "FOLDER")]
    pub(crate) experiments: Option<PathBuf>,
}
