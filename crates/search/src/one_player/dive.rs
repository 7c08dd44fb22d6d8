//! Searches below single states of a puzzle, one after the other and without a table: what a parallel solver does
//! where sharing out does not pay any more.

use game::motion::{Bounds, Motion};

use super::pruning::{Automaton, Pruning};
use super::words::Words;
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
    motion: &'run Motion,
    search: Below<'run, B>,
    /// Rows for the first move behind each move, where only what makes a line shorter is left out; and for states
    /// that no move has led to, by mode.
    first_rows: usize,
    begins: usize,
    moves: usize,
    /// Nodes after which longer sequences that need not be tried are left out; `None` if they are, or never will be.
    learns_in: Option<u64>,
}

/// The search of a puzzle whose moves carry one piece, or several.
enum Below<'run, B: Bounds> {
    Sliding(Box<sliding::SlidingSearch<'run, B>>),
    Turning(Box<turning::TurningSearch<'run, B>>),
}

impl<'run, B: Bounds> Diver<'run, B> {
    /// For a puzzle with these bounds.
    #[must_use]
    pub fn new(motion: &'run Motion, bounds: &'run B) -> Self {
        let mut automaton = Automaton::new(motion, Pruning::Pairs);
        let (first_rows, moves) = (automaton.next.len(), automaton.moves.len());
        automaton.next.extend(Automaton::new(motion, Pruning::Shortening).next.into_iter().take(moves));
        let search = if motion.carries_one() {
            let search = sliding::SlidingSearch::new(motion, bounds, Wanted::One, &automaton, None);
            Below::Sliding(Box::new(search))
        } else {
            Below::Turning(Box::new(turning::TurningSearch::new(
                motion,
                bounds,
                Wanted::One,
                automaton,
                None,
            )))
        };
        let learns_in = (motion.carries_one() && B::IS_FAR).then_some(sliding::LONG);
        Diver { motion, search, first_rows, begins: moves, moves, learns_in }
    }

    /// Leaves out longer sequences from now on. Within one search that loses nothing: what has the same effect is
    /// tried.
    fn learn(&mut self) {
        let Below::Sliding(search) = &mut self.search else { return };
        let words = Words::new(self.motion);
        let behind = |number: usize| {
            let row = &words.rows[words.begins[words.moves[number].0]];
            row.iter().find(|(other, _)| *other == number).copied()
        };
        let shortening = Automaton::new(self.motion, Pruning::Shortening);
        let firsts = shortening.next.iter().take(self.moves);
        let firsts = firsts.map(|next| next.iter().filter_map(|&number| behind(number)).collect());
        let mut rows = words.rows.clone();
        (self.first_rows, self.begins) = (rows.len(), words.begins[0]);
        rows.extend(firsts.collect::<Vec<Vec<(usize, usize)>>>());
        search.try_rows(&rows, &words.moves);
    }

    /// Looks for a solution of exactly so many moves below a state, knowing that there is none with fewer. `last` is
    /// the number of the move that led there, or [`Automaton::begin`] of its mode.
    pub fn dive(&mut self, at: &[u8], last: usize, left: u32) -> Dive {
        let row = if last < self.moves { self.first_rows + last } else { self.begins + (last - self.moves) };
        let dive = match &mut self.search {
            Below::Sliding(search) => search.dive(at, row, left),
            Below::Turning(search) => search.dive(at, row, left),
        };
        self.learns_in = self.learns_in.map(|left| left.saturating_sub(dive.nodes));
        if self.learns_in == Some(0) {
            self.learns_in = None;
            self.learn();
        }
        dive
    }
}
