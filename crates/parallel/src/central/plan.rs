//! What an algorithm decides: which searches are made, by whom, and when the value of the root is known.

use std::time::Duration;

use fabric::{Processor, ProcessorId};
use game::{Game, Move};
use search::guided::Prospect;
use search::watch::Interrupt;
use search::{Alone, Depth, Score, Searcher, Statistics, Window};
use table::Table;

use super::job::{Answer, Job};

/// Finds moves for the leader, who may be in the middle of a search of its own.
pub(super) struct Scout<'run, G: Game> {
    pub(super) here: &'run dyn Processor,
    pub(super) searcher: Searcher<'run, G, &'run dyn Table, Alone>,
    /// What a node costs on a virtual processor.
    pub(super) cost: Duration,
}

impl<G: Game> Scout<'_, G> {
    /// The moves behind a line from the root, for a search to this depth from there on.
    pub(super) fn prospect(&mut self, line: &[Move], depth: Depth) -> Result<Prospect, Interrupt> {
        self.here.charge(self.cost);
        self.searcher.prospect(line, depth)
    }

    pub(super) fn statistics(&self) -> Statistics {
        self.searcher.statistics()
    }
}

/// An algorithm whose leader gives out searches.
pub(super) trait Plan<G: Game> {
    /// An iteration begins; the root was worth this in the last one.
    fn begin(&mut self, depth: Depth, guess: Score);

    /// How many searches a processor has at a time, one of which it makes.
    fn ahead(&self) -> usize {
        1
    }

    /// Whether some searches are for some processors alone.
    fn deals(&self) -> bool {
        false
    }

    /// Something for a processor that has room for it.
    fn next(&mut self, to: ProcessorId, scout: &mut Scout<'_, G>) -> Result<Option<Job>, Interrupt>;

    /// Whether a search that was given out is still of use.
    fn wants(&self, job: &Job) -> bool;

    /// A search is done.
    fn found(&mut self, job: &Job, answer: Answer);

    /// A search will not be done.
    fn lost(&mut self, job: &Job);

    /// A processor is gone; what it had is lost.
    fn gone(&mut self, processor: ProcessorId) {
        let _ = processor;
    }

    /// The value of the root in this iteration and the best line, when they are known.
    fn value(&self) -> Option<(Score, Vec<Move>)>;
}

/// What is known of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) least: Score,
    pub(super) most: Score,
}

impl Bounds {
    pub(super) const UNKNOWN: Bounds = Bounds { least: Score::MINUS_INFINITE, most: Score::INFINITE };

    pub(super) fn exactly(score: Score) -> Bounds {
        Bounds { least: score, most: score }
    }

    /// Whether the score is known.
    pub(super) fn are_met(self) -> bool {
        self.least >= self.most
    }

    /// Whether it is not known yet on which side of this window the score is, or where inside.
    pub(super) fn are_open(self, window: Window) -> bool {
        !self.are_met() && self.least < window.beta && self.most > window.alpha
    }

    /// Takes in what a search in this window says. Selective searches may contradict what was known: the last one
    /// counts.
    pub(super) fn learn(&mut self, window: Window, score: Score) {
        if score <= window.alpha {
            self.most = self.most.min(score);
            self.least = self.least.min(self.most);
        } else if score >= window.beta {
            self.least = self.least.max(score);
            self.most = self.most.max(self.least);
        } else {
            *self = Bounds::exactly(score);
        }
    }
}

/// Half the width of the window around a guess, as one processor begins with; `None` where no window would help.
pub(super) fn margin(unit: i32, guess: Score) -> Option<i32> {
    (unit > 0 && !guess.is_decided()).then_some(unit / 3 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_on_a_score() {
        let score = Score::estimate;
        let window = |alpha, beta| Window { alpha: score(alpha), beta: score(beta) };
        let mut bounds = Bounds::UNKNOWN;
        bounds.learn(window(0, 10), score(12));
        assert_eq!(bounds, Bounds { least: score(12), most: Score::INFINITE });
        assert!(bounds.are_open(window(5, 20)) && !bounds.are_open(window(5, 12)));
        bounds.learn(window(30, 40), score(25));
        assert!(!bounds.are_open(window(25, 90)) && bounds.are_open(Window::FULL) && !bounds.are_met());
        bounds.learn(window(12, 25), score(20));
        assert!(bounds.are_met() && bounds == Bounds::exactly(score(20)));
    }
}
