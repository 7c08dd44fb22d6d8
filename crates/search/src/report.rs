//! What a search tells, while it runs and at the end.

use std::time::Duration;

use game::{Move, RuleFault};

use crate::depth::Depth;
use crate::score::Score;
use crate::statistics::Statistics;

/// An iteration is complete (or, in a Monte Carlo or proof search, some time has passed).
#[derive(Clone, Copy, Debug)]
pub struct Progress<'search> {
    /// The depth of the iteration.
    pub depth: Depth,
    /// The longest line that was looked at, in plies.
    pub selective_depth: u32,
    /// Its score, seen from the mover.
    pub score: Score,
    /// The best line.
    pub principal_variation: &'search [Move],
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub table_full_per_mille: u32,
}

/// What came out of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The score, seen from the mover; of the last complete iteration.
    pub score: Score,
    /// The best move; `None` when the game is over.
    pub best: Option<Move>,
    /// The best line; begins with the best move.
    pub principal_variation: Vec<Move>,
    /// The depth of the last complete iteration; 0 where depth has no meaning.
    pub depth: Depth,
    /// Whether the score is the outcome with best play, not an estimate.
    pub proven: bool,
    /// What is certain of the outcome with best play even if it is not proven: at least and at most this. Only the
    /// exhaustive search says so.
    pub bounds: Option<(Score, Score)>,
    /// Nodes.
    pub nodes: u64,
    /// Time.
    pub elapsed: Duration,
    /// What each module counted.
    pub statistics: Statistics,
    /// What went wrong with the rules and ended the search early. All else is what was known by then.
    pub fault: Option<Box<RuleFault>>,
    /// Threads that panicked, or could not be had. Others have done their work.
    pub threads_lost: usize,
}
