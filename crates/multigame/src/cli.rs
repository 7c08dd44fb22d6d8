//! What can be asked for on the command line. Help texts live here and nowhere else.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::builder::styling::Styles;
use clap::{Args, Parser, Subcommand, ValueEnum};
use lang::diagnostic::did_you_mean;

use crate::memory::table_mib;

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
  multigame search othello --depth 8      the best move and what it is worth
  multigame solve tictactoe               who wins with best play
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
    /// List the games of the library, or tell all about one
    Games(Games),
    /// Play random games and say how long they are and who wins
    ///
    /// All moves are equally likely. Game number i of a run has the seed N + i. Puzzles are given up after 200
    /// moves; a game of two players that lasts longer than 2,000 is an error.
    Selfplay(Selfplay),
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
    /// Search a position of a two-player game: its value, the best move and the best line
    ///
    /// Goes deeper and deeper until a limit is reached; without one, until Ctrl-C, which prints the best so far. Scores
    /// are seen from the player to move. With --json: one object with value, score, move, pv, depth, nodes, seconds,
    /// one per line of play with --multipv.
    Search(Search),
    /// Find out who wins, with proof; or the shortest solution of a puzzle
    ///
    /// Two players: the outcome with best play, by proof-number search or by a full-width engine that deepens until the
    /// outcome is certain. One player: an optimal solution. With --json: value or length, solution, nodes, seconds.
    Solve(Solve),
    /// Search a file of test positions and count what is solved
    ///
    /// FILE is a path, or the name of a suite that comes with the program: wac, bratko-kopec, ecm-gcp, sts,
    /// othello-ffo-40-59, othello-plaat, checkers-plaat. With --json: one object per position with id, solved, move, nodes,
    /// seconds, and one in all with solved, total, nodes, seconds.
    Suite(Suite),
    /// Be an engine for other programs, by the universal chess interface
    ///
    /// Any game for two can be played; chess and its variants with any UCI program. See docs/uci.md.
    Uci(Uci),
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

/// How an engine searches.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineChoice {
    /// negamax, alphabeta, negascout, mtdf, sss, dual, pns, dfpn or mcts
    #[arg(long, value_name = "ENGINE", default_value = "negascout", value_parser = engine)]
    pub(crate) engine: search::Engine,
    /// Only what never changes a score: all full-width engines then give one value
    #[arg(long)]
    pub(crate) exact: bool,
    /// Heuristics to switch on, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = heuristic)]
    pub(crate) with: Vec<String>,
    /// Heuristics to switch off, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = heuristic)]
    pub(crate) without: Vec<String>,
    /// Memory for what the search remembers, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = table_mib)]
    pub(crate) hash: u32,
}

impl EngineChoice {
    /// As the engine wants it.
    pub(crate) fn settings(&self, global: &Global) -> search::Settings {
        let mut settings = search::Settings::new(self.engine);
        if self.exact {
            settings = settings.exact();
        }
        for (names, on) in [(&self.with, true), (&self.without, false)] {
            for name in names {
                settings.heuristics.set(name, on);
            }
        }
        settings.seed = global.seed.unwrap_or(settings.seed);
        settings.proof.table_bytes = (self.hash as usize) << 20;
        settings.proof.tree_nodes_max = ((self.hash as usize) << 20) / PROOF_NODE_BYTES;
        settings
    }
}

/// About what a node of a proof tree takes.
const PROOF_NODE_BYTES: usize = 64;

fn engine(name: &str) -> Result<search::Engine, String> {
    search::Engine::from_name(name).ok_or_else(|| {
        let names = search::Engine::ALL.map(search::Engine::name);
        did_you_mean(name, names).unwrap_or_else(|| format!("there are {}", names.join(", ")))
    })
}

fn heuristic(name: &str) -> Result<String, String> {
    let plain = name.trim().replace('-', "_");
    match search::Heuristics::NAMES.contains(&plain.as_str()) {
        true => Ok(plain),
        false => {
            let names: Vec<String> =
                search::Heuristics::NAMES.iter().map(|name| name.replace('_', "-")).collect();
            let hint = did_you_mean(name, names.iter().map(String::as_str));
            Err(hint.unwrap_or_else(|| format!("there are {}", names.join(", "))))
        }
    }
}

/// When a search ends.
#[derive(Args, Clone, Debug)]
pub(crate) struct LimitChoice {
    /// How many moves to look ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=200))]
    pub(crate) depth: Option<i32>,
    /// How many seconds to search at most
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// How many nodes to search at most
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
}

impl LimitChoice {
    /// Whether no end was said.
    pub(crate) fn is_infinite(&self) -> bool {
        self.depth.is_none() && self.time.is_none() && self.nodes.is_none()
    }

    /// As the engine wants it.
    pub(crate) fn limits(&self) -> search::Limits {
        search::Limits {
            depth: self.depth.map(search::Depth),
            nodes: self.nodes,
            time: self.time.map_or(search::TimeLimit::Infinite, |seconds| {
                search::TimeLimit::Fixed(std::time::Duration::from_secs_f64(seconds))
            }),
            ponder: false,
        }
    }
}

/// `search GAME --depth N`
#[derive(Args, Debug)]
pub(crate) struct Search {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
    #[command(flatten)]
    pub(crate) limits: LimitChoice,
    /// Search without a limit, until Ctrl-C
    #[arg(long, conflicts_with_all = ["depth", "time", "nodes"])]
    pub(crate) infinite: bool,
    /// How many best moves to find, each with its line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) multipv: u32,
    /// Also print what each part of the search counted
    #[arg(long)]
    pub(crate) statistics: bool,
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

/// `uci [GAME]`
#[derive(Args, Debug)]
pub(crate) struct Uci {
    /// A name that `multigame games` lists, or a path to a file of rules
    #[arg(default_value = "chess")]
    pub(crate) game: String,
    /// What finds the legal moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
}

/// `solve GAME`
#[derive(Args, Debug)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) choice: GameChoice,
    /// Two players: dfpn (if not given), pns, or a full-width engine such as negascout
    #[arg(long, value_name = "ENGINE", value_parser = engine)]
    pub(crate) engine: Option<search::Engine>,
    /// Memory for what the search remembers, in MiB
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = table_mib)]
    pub(crate) hash: u32,
    /// How many seconds to search at most; without it, until it is solved
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// How many nodes to search at most
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
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

/// `games`
#[derive(Args, Debug)]
pub(crate) struct Games {
    /// Tell all about this game
    pub(crate) name: Option<String>,
    /// Write the catalogue as a page of Markdown, as in docs/games.md
    #[arg(long)]
    pub(crate) markdown: bool,
}

/// `selfplay GAME…`
#[derive(Args, Debug)]
pub(crate) struct Selfplay {
    /// Names that `multigame games` lists, or paths to files of rules; without any, the whole library
    #[arg(value_name = "GAME")]
    pub(crate) names: Vec<String>,
    /// How many games of each
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) games: u64,
    /// Write a table such as suites/self-play.csv
    #[arg(long)]
    pub(crate) csv: bool,
    /// What finds the legal moves
    #[arg(long, value_enum, default_value_t = Generator::Jit)]
    pub(crate) generator: Generator,
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
    /// What each pass of the compiler gains: leaves a second with it switched off
    Passes,
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
