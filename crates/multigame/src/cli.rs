//! What can be asked for on the command line. Help texts live here and nowhere else.

pub(crate) mod author;
pub(crate) mod book;
pub(crate) mod contest;
pub(crate) mod database;
#[cfg(test)]
mod documented;
mod engine;
pub(crate) mod fit;
mod insight;
pub(crate) mod lab;
pub(crate) mod learn;
mod players;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod tips;

use std::path::PathBuf;

use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use clap::builder::styling::Styles;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use engine::{EngineChoice, Evaluation, EvaluationChoice, LimitChoice, engine, heuristic, level};
pub(crate) use insight::{Bench, BenchKind, Compile, Emit};
pub(crate) use players::{
    Play, PuzzleEngine, RulesChoice, SearchArguments, Side, Solve, SolvingEngine, Suite, Uci, Xboard,
};

/// The style of the word `error`.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of the word `warning`.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// The style of what is less important: a grey that can be read on black and on white, which "dim" need not be.
pub(crate) const FAINT: Style = Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(243))));
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
  multigame new mygame                    start a file of rules of your own
  multigame check mygame.mg               all that is wrong with your rules
  multigame play mygame.mg                play them
  multigame serve --open                  all of this in a browser
  multigame compile chess --emit ir       what the compiler makes of the rules of chess

GAME is a name that `multigame games` lists, or a path to a file of rules (.mg).
Exit codes: 0 success, 2 wrong usage or bad input, 130 stopped with Ctrl-C.";

/// Write the rules of a board game on one page; play, count and explore it.
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
    #[arg(long, global = true, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=parallel::THREADS_MAX as i64))]
    pub(crate) threads: Option<u32>,
}

impl Global {
    /// Threads of a search, a count or a fit.
    pub(crate) fn threads_or_one(&self) -> usize {
        self.threads.unwrap_or(1) as usize
    }
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Read rules and report everything that is wrong with them
    ///
    /// If there are no errors it also plays some random games and warns of what looks wrong. Exits with 2 if there are
    /// errors, with 0 if there are at most warnings. With --json: one object per diagnostic with code, severity, line,
    /// column, message and hint.
    Check(Check),
    /// Lay out rules in the usual way
    ///
    /// Changes the files in place; `-` reads standard input and writes standard output.
    Fmt(Fmt),
    /// Check that rules do what their comments say
    ///
    /// Comments such as `# perft: 9, 72` or `# moves: a1, b1` are expectations; docs/language.md has examples of all
    /// kinds. The interpreter and compiled code must both meet them. Exits with 2 if one is not met.
    Test(author::Test),
    /// Start a file of rules from a template
    New(author::New),
    /// Show a position as text or as a picture
    Show(author::Show),
    /// List the games of the library, or say all about one
    Games(Games),
    /// Play random games and say how long they are and who wins
    ///
    /// All moves are equally likely. Game number i of a run has the seed N + i. Puzzles are given up after 200
    /// moves; a game of two players that lasts longer than 2,000 is an error unless --max-moves says otherwise.
    Selfplay(Selfplay),
    /// Count the move sequences of a given length
    ///
    /// Every move of the last ply is played too, unless --bulk says that counting it is enough. A finished
    /// game has no continuation; in a one-player game play goes on through solved positions. Repetition is
    /// not considered. With --threads the count is shared out.
    Perft(Perft),
    /// Count the different positions by their distance from the start
    ///
    /// Breadth-first and exact: positions are compared, not their signatures. Values that the rules keep
    /// `silent` do not tell positions apart. Without --depth it goes on until no new position turns up.
    Explore(Explore),
    /// Search a position of a two-player game: its value, the best move and the best line
    ///
    /// Goes deeper and deeper until a limit is reached; without one, until Ctrl-C, which prints the best so far.
    /// Scores are seen from the player to move. With --json: one object with value, score, move, pv, depth, nodes,
    /// seconds for each iteration (`final` is false), and a last one, or one per line of play with --multipv, for the
    /// result.
    Search(SearchArguments),
    /// Find out who wins, with proof; or the shortest solution of a puzzle
    ///
    /// Two players: the outcome with best play, by proof-number search or by a full-width engine that deepens until the
    /// outcome is certain. One player: an optimal solution. With --json: value or length, solution, nodes, seconds.
    Solve(Solve),
    /// Search a file of test positions and count what is solved
    ///
    /// FILE is a path, or the name of a suite that comes with the program: wac, bratko-kopec, ecm-gcp, sts,
    /// othello-ffo-40-59, othello-plaat, checkers-plaat. With --json: one object per position with id, solved, move,
    /// value, pv, nodes, seconds, statistics, and one in all with solved, total, nodes, seconds. With --csv: the same
    /// as a table.
    Suite(Suite),
    /// Make pattern databases of a puzzle, check them, or say what there is
    ///
    /// They tell `solve` how far positions are at least from the solution, and are made from nothing but the rules.
    /// `solve` makes small ones by itself; larger ones make it faster. See docs/patterns.md.
    #[command(subcommand)]
    Database(database::Database),
    /// Act as an engine for other programs, by the universal chess interface
    ///
    /// Any game for two can be played; chess and its variants with any UCI program. See docs/uci.md.
    Uci(Uci),
    /// Act as an engine for other programs, by the protocol of xboard and WinBoard
    ///
    /// `xboard -fcp "multigame xboard"` plays chess; `variant` switches to other games. See docs/uci.md.
    Xboard(Xboard),
    /// Give commands about a game: play, search, read and write, in a terminal or a pipe
    ///
    /// `help` lists the commands. A command that cannot be done is answered on standard error, and the shell goes on.
    /// See docs/shell.md.
    Shell(shell::Shell),
    /// Make an opening book, or look into one
    ///
    /// play, shell, match and uci use a book if asked to: --book FILE. See docs/book.md.
    Book(book::Book),
    /// Fit the numbers of an evaluation to positions whose worth is known
    ///
    /// Every number that the evaluation adds up is changed to see what it does to each position, and then chosen so
    /// that the evaluation predicts their worth best: `ce` of an EPD file, or the results of games in a PGN file. A
    /// tenth of the positions is kept back to see whether that holds elsewhere. With --json: positions, numbers,
    /// changed, errors, and the rules if they are written nowhere else. See docs/evaluation.md.
    Fit(fit::Fit),
    /// Learn a network that judges positions of a game, by playing it against itself
    ///
    /// Generation by generation: games are played with the best evaluation so far, a network is trained on their
    /// positions, and takes its place if a sequential test says that it plays better. It may be stopped at any time;
    /// the same command goes on. A network that was accepted is used from then on. With --json: one object for each
    /// generation. See docs/learning.md.
    Learn(learn::Learn),
    /// Experiments with parallel searches: speedups on threads and on virtual processors
    ///
    /// See docs/parallel.md.
    Lab(lab::Lab),
    /// Play games between two settings, or UCI programs, and say who is stronger
    ///
    /// Every opening is played twice with colours swapped. Limited by depth or nodes, the same --seed gives the same
    /// games. Ctrl-C prints what is known so far. With --json: one object with wins, draws, losses, elo, error (half of
    /// the 95 % interval), los. See docs/match.md.
    Match(Box<contest::Match>),
    /// Play a game in the terminal
    ///
    /// Enter moves as `e2e4` or as `e2 -> e4`; `help` lists the other commands. With --seed the computer varies its
    /// first moves, the same seed giving the same choices.
    Play(Play),
    /// Play, design, analyse and watch games in a browser
    ///
    /// Serves a page to this machine alone, unless --listen says otherwise. Games are kept in the user's data and can
    /// be taken up again. docs/web-protocol.md describes the messages for other front ends.
    Serve(serve::Serve),
    /// Show what the compiler makes of rules
    ///
    /// Without --emit: sizes and times. The passes and what they do are described in docs/compiler.md.
    Compile(Compile),
    /// Measure this build: the figures that the documentation quotes
    ///
    /// Without a name: the nodes of small trees of all games, a checksum of their behaviour. Every figure checks
    /// its counts; a wrong count is an error.
    Bench(Bench),
    /// Write what a shell needs to complete command lines
    ///
    /// For bash: multigame completions bash > ~/.local/share/bash-completion/completions/multigame, after
    /// mkdir -p ~/.local/share/bash-completion/completions
    Completions(author::Completions),
    /// Write manual pages, one for each command
    Man(author::Man),
}

/// Which game, from where, by which generator.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameChoice {
    /// A name that `multigame games` lists, or a path to a file of rules
    pub(crate) game: String,
    /// Where to start: a file, `FILE#3` for its third position, `-` for standard input, `setup:NAME`, or the position
    /// itself
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
    /// Read the rules only: no random games
    #[arg(long)]
    pub(crate) no_play: bool,
}

/// `fmt FILE…`
#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// Files of rules; `-` for standard input; names of games, which are printed
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; exit with 2 if a file is not laid out in the usual way
    #[arg(long)]
    pub(crate) check: bool,
}

/// `games`
#[derive(Args, Debug)]
pub(crate) struct Games {
    /// Say all about this game
    pub(crate) name: Option<String>,
    /// Write the catalogue as a page of Markdown, as in docs/games.md
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Print the rules of this game
    #[arg(long, requires = "name", conflicts_with = "markdown")]
    pub(crate) source: bool,
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
    /// Give a game up after so many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_moves: Option<u64>,
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
    /// Memory for positions, in MiB; puzzles that need more go on with files in the folder for temporary ones
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = crate::memory::table_mib)]
    pub(crate) memory: u32,
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
