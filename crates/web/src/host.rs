//! What the program around the server provides: the library, what opens games, what solves puzzles. The server knows
//! neither which generators there are nor where rules come from.

use std::time::Duration;

use game::{Game, GameInfo, Move, Position, RuleFault};
use lang::Diagnostic;
use parallel::Habits;

/// A game of the library.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The name by which it is asked for.
    pub name: String,
    /// How people call it.
    pub title: String,
    /// The heading under which it stands.
    pub family: String,
    /// The rules in words.
    pub summary: String,
    /// Where it comes from.
    pub origin: String,
}

/// Rules that were read and found right.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Board, pieces, start.
    pub info: GameInfo,
    /// The further start positions by name; the usual one has an empty name.
    pub setups: Vec<(String, Position)>,
    /// What looks wrong.
    pub warnings: Vec<Diagnostic>,
}

/// What is done with a game that was opened.
pub trait Work {
    /// What comes out.
    type Result;

    /// Does it.
    fn run<G: Game>(self, game: &G) -> Self::Result;
}

/// The solution of a puzzle.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The moves; none if no solution was found.
    pub moves: Option<Vec<Move>>,
    /// Whether none is shorter, or there is none at all.
    pub proven: bool,
    /// Positions looked at.
    pub nodes: u64,
}

/// What the program around the server provides.
pub trait Host: Send + Sync + 'static {
    /// The games, in the order of the catalogue.
    fn library(&self) -> Vec<Listing>;

    /// The rules of a game of the library.
    fn source(&self, name: &str) -> Option<String>;

    /// Reads and checks rules.
    ///
    /// # Errors
    /// All that is wrong with them.
    fn check(&self, rules: &str) -> Result<Checked, Vec<Diagnostic>>;

    /// Opens a game and works with it.
    ///
    /// # Errors
    /// When the rules cannot run; the message says why.
    fn with_game<W: Work>(&self, rules: &str, work: W) -> Result<W::Result, String>;

    /// Looks for the shortest solution of a puzzle, for so long at most, and until [`game::stopping`] says stop.
    ///
    /// # Errors
    /// When the rules go wrong.
    fn solve<G: Game>(&self, game: &G, position: &G::Position, time: Duration) -> Result<Solved, RuleFault>;

    /// What was found to be good for searches on several threads.
    fn habits(&self) -> Habits {
        Habits::default()
    }

    /// The documentation: names and texts in Markdown, in the order of the book.
    fn documents(&self) -> Vec<(&'static str, &'static str)>;

    /// A picture of the documentation.
    fn picture(&self, name: &str) -> Option<&'static [u8]>;
}
