//! What a front end may say, and what it hears. docs/web-protocol.md describes every message; unknown words are
//! errors, so that a mistake in a front end shows at once.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest message that is read.
pub const MESSAGE_BYTES_MAX: usize = 512 * 1024;
/// The longest rules.
pub const RULES_BYTES_MAX: usize = 128 * 1024;
/// The most characters of a name, a move or a position in one line.
pub const WORDS_MAX: usize = 20_000;

/// One message of a front end: a question to the server, or an order at a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// Comes back with the answer.
    pub id: u64,
    /// A question to the server.
    pub ask: Option<Question>,
    /// The table that the order is for.
    pub game: Option<String>,
    /// An order.
    #[serde(rename = "do")]
    pub order: Option<Order>,
}

/// Questions to the server.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Question {
    /// All games of the library with their looks.
    Library,
    /// The text of a game's rules.
    Source {
        /// Its name.
        name: String,
    },
    /// A new table.
    Open(Box<Opening>),
    /// Sits down at a table that is there, or was kept.
    Join {
        /// Its name.
        game: String,
    },
    /// Leaves a table; it is kept.
    Leave {
        /// Its name.
        game: String,
    },
    /// The tables that were kept.
    Kept,
    /// Throws a kept table away.
    Forget {
        /// Its name.
        game: String,
    },
    /// All that is wrong with rules.
    Check {
        /// Their text.
        rules: String,
    },
    /// Rules laid out in the usual way.
    Format {
        /// Their text.
        rules: String,
    },
    /// What may stand at a place of rules.
    Complete {
        /// Their text.
        rules: String,
        /// The place, in characters of UTF-16 as browsers count.
        at: usize,
    },
    /// The files of rules in the folder.
    Files,
    /// Reads a file of the folder.
    ReadFile {
        /// Its name.
        name: String,
    },
    /// Writes a file of the folder.
    WriteFile {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
}

/// How a table begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Opening {
    /// A game of the library …
    pub name: Option<String>,
    /// … or rules.
    pub rules: Option<String>,
    /// One of the game's setups by its name.
    pub setup: Option<String>,
    /// A position in any form that the game knows.
    pub position: Option<String>,
    /// A game to replay: PGN, or moves one after the other.
    pub record: Option<String>,
    /// Who plays.
    pub players: Option<[Player; 2]>,
    /// A clock.
    pub clock: Option<ClockSetting>,
    /// Not to be kept: a look at rules that are being written.
    pub passing: bool,
}

/// Who plays a colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    /// A person at a front end.
    Person,
    /// The computer.
    Computer(Strength),
}

/// How hard the computer tries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Strength {
    /// A level in words: beginner, easy, medium, strong, expert.
    pub level: Option<Level>,
    /// Milliseconds for a move.
    pub time: Option<u64>,
    /// Nodes for a move.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Threads.
    pub threads: Option<usize>,
}

/// Levels in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Half of its moves are chosen by chance.
    Beginner,
    /// Looks at some hundred positions.
    Easy,
    /// Looks at some thousand positions.
    Medium,
    /// Thinks for a second.
    Strong,
    /// Thinks for five seconds.
    Expert,
}

/// Time for a game, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// For all moves.
    pub base: u64,
    /// Added after each move.
    pub increment: u64,
}

/// Orders at a table.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// Plays a move.
    Play {
        /// How many moves were made when this one was chosen.
        ply: usize,
        /// Which.
        #[serde(rename = "move")]
        played: MoveChoice,
    },
    /// Takes moves back until so many are left.
    TakeBack {
        /// How many.
        to: usize,
    },
    /// Plays moves again that were taken back.
    Forward {
        /// How many moves there shall be.
        to: usize,
    },
    /// Begins again: at the start, at a setup, or at a position.
    Begin {
        /// One of the setups.
        setup: Option<String>,
        /// A position as text.
        position: Option<String>,
    },
    /// Begins again at a position made by hand.
    Edit {
        /// Fields and properties in slot order.
        slots: Vec<i32>,
        /// Who is to move.
        mover: Side,
    },
    /// Says who plays.
    Players {
        /// White and black.
        players: [Player; 2],
        /// A clock, or none.
        clock: Option<ClockSetting>,
    },
    /// Gives up.
    Resign {
        /// Who.
        side: Side,
    },
    /// A good move.
    Hint,
    /// Starts or ends the analysis of a position of the game.
    Analyse {
        /// Whether to.
        on: bool,
        /// After so many moves; the present position if absent.
        ply: Option<usize>,
        /// How many lines.
        lines: Option<usize>,
        /// How many threads.
        threads: Option<usize>,
        /// How they share the work: a method of docs/parallel.md; the usual one if absent.
        method: Option<String>,
    },
    /// Judges every position of the game.
    Review {
        /// Nodes for each.
        nodes: Option<u64>,
    },
    /// Stops whatever searches here.
    Stop,
    /// The game as text.
    Save {
        /// In which form.
        format: SaveFormat,
    },
    /// Counts lines of play.
    Perft {
        /// Their length.
        depth: u32,
    },
    /// Plays at random.
    RandomGames {
        /// How many games.
        games: u32,
    },
    /// Makes random moves, for puzzles.
    Scramble {
        /// How many.
        moves: u32,
    },
    /// Looks for the shortest solution of a puzzle.
    Solve {
        /// Milliseconds at most.
        time: Option<u64>,
    },
    /// Adds other people's games to the database.
    Import {
        /// Games in portable game notation.
        text: String,
    },
    /// What others have played in a position of the game.
    Explore {
        /// After so many moves.
        ply: usize,
    },
    /// A game of the database as text.
    KnownGame {
        /// Its number.
        id: i64,
    },
    /// What the threads of the last search did in the last seconds.
    Processors,
    /// Searches on virtual processors, to see what they do when.
    Simulate {
        /// How many.
        processors: usize,
        /// Plies.
        depth: u32,
        /// How they share the work.
        method: Option<String>,
    },
    /// What the last search knows, as a tree.
    Tree {
        /// Plies.
        depth: usize,
    },
}

/// A move by its number in the list of legal moves, or by its name.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum MoveChoice {
    /// Its number.
    Number(usize),
    /// Its name.
    Name(String),
}

/// A player by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// How a game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SaveFormat {
    /// Portable game notation.
    Pgn,
    /// One move for each line, behind the position.
    Text,
    /// The position alone.
    Position,
}

/// The answer to a message.
#[must_use]
pub fn answer(id: u64, result: Result<Value, Refusal>) -> String {
    let message = match result {
        Ok(value) => serde_json::json!({ "id": id, "ok": value }),
        Err(refusal) => serde_json::json!({ "id": id, "error": refusal.message, "wait": refusal.wait }),
    };
    message.to_string()
}

/// News of a table.
#[must_use]
pub fn news(game: &str, kind: &str, value: &Value) -> String {
    serde_json::json!({ "game": game, "event": kind, "value": value }).to_string()
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In words.
    pub message: String,
    /// Whether the same may be done later.
    pub wait: bool,
}

impl Refusal {
    /// Never.
    pub fn no(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), wait: false }
    }

    /// Not now.
    pub fn wait(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), wait: true }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::no(message)
    }
}
