//! Drivers that find a score with null windows alone. With a first guess this is MTD(f); from above it searches
//! the same positions as SSS*, from below as DUAL* (Plaat and others). They live on the table: without it each
//! pass searches everything again.

use game::Game;
use table::Table;

use crate::company::Company;
use crate::depth::Depth;
use crate::score::{Score, Window};
use crate::searcher::Searcher;
use crate::watch::Interrupt;

/// Where the first null window lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum First {
    /// At a guess: MTD(f).
    Guess(Score),
    /// At the top: SSS*.
    Highest,
    /// At the bottom: DUAL*.
    Lowest,
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// The score of the root, closed in from both sides.
    pub(crate) fn mtd(&mut self, first: First, depth: Depth) -> Result<Score, Interrupt> {
        let (mut least, mut most) = (Score::MINUS_INFINITE, Score::INFINITE);
        let mut beta = match first {
            First::Guess(guess) => guess,
            First::Highest => Score::INFINITE,
            First::Lowest => Score::MINUS_INFINITE.next(),
        };
        loop {
            self.statistics.passes += 1;
            let score = self.search_root(Window { alpha: beta.previous(), beta }, depth)?;
            if score < beta {
                most = score;
            } else {
                least = score;
            }
            if least >= most {
                return Ok(score);
            }
            beta = if score == least { score.next() } else { score };
        }
    }
}
