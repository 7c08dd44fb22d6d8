//! Searches below single states of a puzzle, one after the other and without a table: what a parallel solver does where sharing
//! out does not pay any more.

use game::motion::{Bounds, Motion};

use super::pruning::{Automaton, Pruning};
use super::{Wanted, sliding, turning};

/// What a search below a state came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dive {
    /// A solution, as numbers of the automaton's moves.
    pub solution: Option<Vec<usize>>,
    /// Moves that a solution takes at least if there is none yet; `u32::MAX` if there is none at all.
    pub next: u32,
    /// States that were looked at.
    pub nodes: u64,
}

/// Searches below states of one puzzle.
pub struct Diver<'run, B: Bounds> {
    search: Search<'run, B>,
    /// Rows for the first move behind each move, where only what makes a line shorter is left out.
    first_rows: usize,
    moves: usize,
}

enum Search<'run, B: Bounds> {
    Sliding(Box<sliding::Search<'run, B>>),
    Turning(Box<turning::Search<'run, B>>),
}

impl<'run, B: Bounds> Diver<'run, B> {
    /// For a puzzle with these bounds.
    #[must_use]
    pub fn new(motion: &'run Motion, bounds: &'run B) -> Self {
        let mut automaton = Automaton::new(motion, Pruning::Pairs);
        let (first_rows, moves) = (automaton.next.len(), automaton.moves.len());
        automaton.next.extend(Automaton::new(motion, Pruning::Shortening).next.into_iter().take(moves));
        let search = if motion.carries_one() {
            let search = sliding::Search::new(motion, bounds, Wanted::One, &automaton, None);
            Search::Sliding(Box::new(search))
        } else {
            Search::Turning(Box::new(turning::Search::new(motion, bounds, Wanted::One, automaton, None)))
        };
        Diver { search, first_rows, moves }
    }

    /// Looks for a solution of exactly so many moves below a state, knowing that there is none with fewer. `last` is the number of
    /// the move that led there, or [`Automaton::begin`] of its mode.
    pub fn dive(&mut self, at: &[u8], last: usize, left: u32) -> Dive {
        let row = if last < self.moves { self.first_rows + last } else { last };
        match &mut self.search {
            Search::Sliding(search) => search.dive(at, row, left),
            Search::Turning(search) => search.dive(at, row, left),
        }
    }
}
