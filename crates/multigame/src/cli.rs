//! What can be asked for on the command line. Help texts live here and nowhere else.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::builder::styling::Styles;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// The style of the word `error`.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of the word `warning`.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// The style of what is less important.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The style of headings and names.
pub(crate) const STRONG: Style = Style::new().bold();

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The deepest tree that can be asked for; nothing real comes near.
const DEPTH_MAX: i64 = 1_000;

const AFTER_HELP: &str = "\
Examples:
  multigame                               choose a game and play it
  multigame play chess --side black       play chess, the computer begins
  multigame perft chess --depth 4         count the move sequences of length 4
  multigame explore puzzle15 --depth 12   count the different positions by distance
  multigame check mygame.mg               all that is wrong with your rules
  multigame play mygame.mg                play them
  multigame compile chess --emit ir       what the compiler makes of the rules of chess

GAME is a name that `multigame games` lists, or a path to a file of rules (.mg).
Exit codes: 0 success, 2 wrong usage or bad input, 130 stopped with Ctrl-C.";

/// Write the rules of a board game in a page; play, count and explore it.
#[derive(Parser, Debug)]
#[command(name = "multigame", version, styles = STYLES, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Global {
    /// Print one JSON object per line instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Start of all random choices: the same seed gives the same run
    #[arg(long, global = true, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Threads to use where a command can use more than one
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Read rules and say all that is wrong with them
    ///
    /// Exits with 2 if there are errors, with 0 if there are at most warnings. With --json: one object per
    /// diagnostic with code, severity, line, column, message and hint.
    Check(Check),
    /// Lay out rules in the usual way
    ///
    /// Changes the files in place; `-` reads standard input and writes standard output.
    Fmt(Fmt),
    /// List the games of the library
    Games,
    /// Count the move sequences of a given length
    ///
    /// Every move of the last ply is played too, unless --bulk says that counting it is enough. A finished
    /// game has no continuation; in a one-player game play goes on through solved positions. Repetition is
    /// not considered.
    Perft(Perft),
    /// Count the different positions by their distance from the start
    ///
    /// Breadth-first and exact: positions are compared, not their signatures. Values that the rules keep
    /// `silent` do not tell positions apart. Without --depth it goes on until no new position turns up.
    Explore(Explore),
    /// Play a game in the terminal
    ///
    /// Enter moves as `e2e4` or as `e2 -> e4`; `help` lists the other commands.
    Play(Play),
    /// Show what the compiler makes of rules
    ///
    /// Without --emit: sizes and times. The passes and what they do are described in docs/compiler.md.
    Compile(Compile),
    /// Measure this build: the figures that the documentation quotes
    ///
    /// Without a name: the nodes of small trees of all games, a checksum of their behaviour. Every figure checks
    /// its counts; a wrong count is an error.
    Bench(Bench),
}

/// Which game, from where, by which generator.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameChoice {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// Where to start: a file, `-` for standard input, `setup:NAME`, or the position itself
    ///
    /// A position is the rows of the board from top to bottom, then lines such as `white to move`; or one
    /// line in the notation that players of the game use, such as FEN. Rules without a `setup` need one.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// What finds the legal moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
}

/// What can find the legal moves.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Generator {
    /// Compiles the rules to machine code first
    Jit,
    /// Follows the rules word by word: slow, and right by definition
    Interpreter,
}

/// `check FILE`
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// A file of rules, `-` for standard input, or a name that `multigame games` lists
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
}

/// `fmt FILE…`
#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// Files of rules; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; exit with 2 if a file is not laid out in the usual way
    #[arg(long)]
    pub(crate) check: bool,
}

/// `perft GAME --depth N`
#[derive(Args, Debug)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    /// How many moves long the counted sequences are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=DEPTH_MAX))]
    pub(crate) depth: u32,
    /// Also print the count behind each move of the first ply
    #[arg(long)]
    pub(crate) divide: bool,
    /// Count the moves of the last ply without playing them
    #[arg(long)]
    pub(crate) bulk: bool,
}

/// `explore GAME`
#[derive(Args, Debug)]
pub(crate) struct Explore {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    /// Greatest distance; without it, until no new position turns up
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
}

/// `compile GAME`
#[derive(Args, Debug)]
pub(crate) struct Compile {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// What to print
    #[arg(long, value_enum)]
    pub(crate) emit: Option<Emit>,
    /// Only rules or functions whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Passes to leave out
    #[arg(long, value_name = "PASS,…", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// With --emit ir: only the rules as they are compiled, not what each pass changes
    #[arg(long = "final")]
    pub(crate) only_final: bool,
}

/// What can be printed of a compilation.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Emit {
    /// The intermediate form: all rules before the passes, then what each pass changes
    Ir,
    /// Cranelift's form, before its own optimisations
    Clif,
    /// Machine code
    Asm,
}

/// `bench [WHAT]`
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// What to measure
    #[arg(value_enum)]
    pub(crate) what: Option<BenchKind>,
    /// Only these games; all that have a figure if none is given
    pub(crate) games: Vec<String>,
    /// How often each figure is measured; the best one counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
}

/// What can be measured.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BenchKind {
    /// Leaves a second of compiled rules, beside hand-written games
    Generators,
    /// Random games a second
    Playouts,
}

/// `play GAME`
#[derive(Args, Debug)]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    /// Which side you play; the side that begins if not given
    #[arg(long, value_enum)]
    pub(crate) side: Option<Side>,
    /// How many moves the computer looks ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) depth: Option<u32>,
    /// How many seconds the computer thinks about a move at most
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    pub(crate) time: f64,
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

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give a number of seconds, such as 0.5, up to 86400".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
