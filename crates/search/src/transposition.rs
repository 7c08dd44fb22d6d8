//! What a search asks of the table and tells it.

use game::{Game, MoveView, Signature};
use table::{Bound, Entry, MoveTag, Table};

use crate::company::Company;
use crate::depth::Depth;
use crate::score::{Score, Window};
use crate::searcher::Searcher;

/// Children are looked up from this depth on: each costs an access to memory that is not in the cache.
const CHILDREN_DEPTH_MIN: Depth = Depth(4);
/// The same where trees are cut by other means. In chess, one look-up in a thousand ended a search there, and all of them
/// took a tenth of the time.
const CHILDREN_DEPTH_MIN_OF_SELECTED: Depth = Depth(8);

/// What the table says about a node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    pub(crate) entry: Option<Entry>,
    pub(crate) best: Option<MoveTag>,
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Under which signature the present position is to be found, searched to this depth.
    ///
    /// A score can depend on the way to a position as soon as a position of that way could be repeated below.
    /// With `path_safe`, such positions are told apart by what came before them.
    pub(crate) fn table_key(&self, depth: Depth) -> Signature {
        let step = self.path.last();
        if self.heuristics.path_safe && step.may_repeat_within(depth) {
            step.signature ^ step.digest()
        } else {
            step.signature
        }
    }

    pub(crate) fn probe(&mut self, key: Signature, depth: Depth) -> Known {
        if !self.heuristics.table {
            return Known::default();
        }
        let entry = self.table.probe_for(key, depth.stored());
        self.statistics.table.count_probe(entry.as_ref());
        Known { entry, best: entry.and_then(|entry| entry.best) }
    }

    /// The score of an entry, if it decides a search with this window to this depth.
    pub(crate) fn decided_by(
        &self,
        entry: &Entry,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let enough = match self.heuristics.equal_depth {
            true => entry.depth == depth.stored(),
            false => entry.depth >= depth.stored(),
        };
        let score = Score::from_stored(entry.score, ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        (enough && decides).then_some(score)
    }

    /// The score of an entry instead of an estimate, where it says more: a search has seen it, however shallow.
    pub(crate) fn sharpened(&self, estimate: Score, known: &Known, ply: usize) -> Score {
        let Some(entry) = known.entry.filter(|_| self.heuristics.sharper_estimates) else { return estimate };
        let score = Score::from_stored(entry.score, ply);
        let says_more = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score > estimate,
            Bound::Upper => score < estimate,
        };
        if says_more && !score.is_decided() { score } else { estimate }
    }

    pub(crate) fn remember(
        &mut self,
        key: Signature,
        score: Score,
        window: Window,
        depth: Depth,
        best: Option<MoveTag>,
        nodes: u64,
    ) {
        if !self.heuristics.table {
            return;
        }
        let bound = Bound::of(score.value(), window.alpha.value(), window.beta.value());
        let entry = Entry {
            score: score.to_stored(self.path.ply()),
            bound,
            depth: depth.stored(),
            best,
            effort: Entry::effort_of(nodes),
            generation: 0,
        };
        let stored = self.table.store(key, entry);
        self.statistics.table.count_store(stored);
    }

    /// Enhanced transposition cutoffs: is a child known that is good enough? Returns its score and its move.
    pub(crate) fn transposition_cutoff<'list>(
        &mut self,
        moves: impl Iterator<Item = MoveView<'list>> + Clone,
        beta: Score,
        depth: Depth,
    ) -> Option<(Score, MoveTag)> {
        let least = match self.knowledge.has_royals() && self.heuristics.late_move_reductions {
            true => CHILDREN_DEPTH_MIN_OF_SELECTED,
            false => CHILDREN_DEPTH_MIN,
        };
        let on = self.heuristics.table && self.heuristics.transposition_cutoffs && depth >= least;
        if !on || self.heuristics.path_safe && self.path.last().may_repeat_within(Depth(1)) {
            return None;
        }
        let (ply, depth) = (self.path.ply() + 1, depth - 1);
        let moves = moves.filter(|played| played.head.outcome().is_none());
        // Where answers take long, several questions are under way.
        let ahead = self.table.questions_ahead();
        moves.clone().for_each(|played| self.touch_child(played));
        let mut coming = moves.clone();
        coming.by_ref().take(ahead).for_each(|played| self.ask_about(played, depth));
        for played in moves {
            if ahead > 0 {
                coming.by_ref().take(1).for_each(|played| self.ask_about(played, depth));
            }
            let Some(key) = self.key_of_child(played, depth) else { continue };
            let Some(entry) = self.probe(key, depth).entry else { continue };
            let window = Window { alpha: -beta, beta: Score::INFINITE };
            if let Some(score) = self.decided_by(&entry, window, depth, ply)
                && -score >= beta
            {
                self.statistics.transposition_cutoffs += 1;
                return Some((-score, MoveTag::of(played.head.signature_difference)));
            }
        }
        None
    }

    /// Has what is known of a child fetched where that costs nothing: it may be asked for in a moment.
    #[inline]
    pub(crate) fn touch_child(&self, played: MoveView<'_>) {
        if self.table.questions_ahead() == 0 {
            self.table.touch(self.path.last().signature ^ played.head.signature_difference);
        }
    }

    /// Lets the table know that a child will be asked for.
    fn ask_about(&mut self, played: MoveView<'_>, depth: Depth) {
        if let Some(key) = self.key_of_child(played, depth) {
            self.table.touch_for(key, depth.stored());
        }
    }

    /// Under which signature a child is to be found, searched to this depth; `None` if it repeats a position: what
    /// the table knows holds when a position is new.
    #[inline]
    fn key_of_child(&mut self, played: MoveView<'_>, depth: Depth) -> Option<Signature> {
        if self.path.repeats(played) {
            return None;
        }
        let child = self.path.child(played);
        let folded = self.heuristics.path_safe && child.may_repeat_within(depth);
        Some(if folded { child.signature ^ child.digest() } else { child.signature })
    }
}
