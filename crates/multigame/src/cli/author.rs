//! `test`, `new`, `show`: for people who write rules. `completions`, `man`: for people who install the program.

use std::path::PathBuf;

use clap::Args;

use super::GameChoice;

/// `test FILE…`
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Files of rules, Markdown files with blocks marked `mg`, `-` for standard input, or names of games
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
}

/// `new NAME`
#[derive(Args, Debug)]
pub(crate) struct New {
    /// What the game is called; the file is NAME.mg
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

/// `show GAME`
#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    /// As a picture in SVG instead of text
    #[arg(long)]
    pub(crate) svg: bool,
    /// As black sees the board
    #[arg(long)]
    pub(crate) flip: bool,
}

/// `completions SHELL`
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// bash, elvish, fish, powershell or zsh
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// `man DIR`
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The folder for the pages; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
