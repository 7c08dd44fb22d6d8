//! The line that is being searched, as data: those who hand out work find brothers here that are not begun yet, narrow
//! windows, and see what was found.
//!
//! Only nodes that may be shared are *open* here; a search without company keeps nothing.

use game::Move;
use table::MoveTag;

use crate::depth::Depth;
use crate::node::{Arrival, Best};
use crate::path::Step;
use crate::score::{Score, Window};
use crate::searcher::Frame;

/// What a node is expected to be, after Knuth and Moore.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NodeKind {
    /// On the principal line: its value counts (type 1).
    #[default]
    Principal,
    /// One good move refutes it (type 2).
    Cut,
    /// All its moves have to be refuted (type 3).
    All,
}

impl NodeKind {
    /// What the first son is, and what the others are. A cut node whose first move did not refute is on its way to
    /// become one where all moves count, and every other son has to be refuted.
    #[must_use]
    pub fn son(self, first: bool) -> NodeKind {
        match self {
            NodeKind::Principal if first => NodeKind::Principal,
            NodeKind::Cut if first => NodeKind::All,
            NodeKind::Principal | NodeKind::Cut | NodeKind::All => NodeKind::Cut,
        }
    }
}

/// How the window of the son that is searched at the moment comes from its father's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Link {
    /// Not at all: no son is searched, or with a window of its own.
    #[default]
    None,
    /// By a null window above this score.
    Test(Score),
    /// It is the father's, seen from the other side.
    Value,
}

/// A node of the line.
pub struct Ply<P> {
    pub(crate) is_open: bool,
    pub(crate) position: Option<P>,
    pub(crate) frame: Frame,
    /// Moves before this place were begun.
    pub(crate) next: usize,
    /// Those of them that were not skipped, as far as is known.
    pub(crate) tried: usize,
    /// Whether a move was skipped: those that follow are hardly worth giving away.
    pub(crate) skips: bool,
    /// Moves whose score is known.
    pub(crate) finished: usize,
    /// Moves that others work on.
    pub(crate) away: usize,
    /// The window, narrowed from above since.
    pub(crate) window: Window,
    pub(crate) best: Best,
    /// What the best move leads to, if another processor has found it.
    pub(crate) variation: Option<Vec<Move>>,
    pub(crate) depth: Depth,
    pub(crate) arrival: Arrival,
    pub(crate) estimate: Option<Score>,
    pub(crate) extension: i32,
    /// Whether an earlier search has said which move to begin with.
    pub(crate) is_known: bool,
    pub(crate) link: Link,
    /// Moves that were found to be better by a test, and whose value has not been looked for yet.
    pub(crate) promising: Vec<usize>,
}

impl<P> Default for Ply<P> {
    fn default() -> Ply<P> {
        Ply {
            is_open: false,
            position: None,
            frame: Frame::default(),
            next: 0,
            tried: 0,
            skips: false,
            finished: 0,
            away: 0,
            window: Window::FULL,
            best: Best { score: Score::MINUS_INFINITE, tag: None },
            variation: None,
            depth: Depth(0),
            arrival: Arrival::default(),
            estimate: None,
            extension: 0,
            is_known: false,
            link: Link::None,
            promising: Vec::new(),
        }
    }
}

impl<P> Ply<P> {
    /// What moves have to beat, and what would be enough.
    pub(crate) fn present_window(&self) -> Window {
        Window { alpha: self.window.alpha.max(self.best.score), beta: self.window.beta }
    }

    /// Whether nothing more is wanted of this node.
    pub(crate) fn is_settled(&self) -> bool {
        let Window { alpha, beta } = self.present_window();
        alpha >= beta
    }

    /// Takes note of a move that was not searched, and of what it may be worth at most.
    pub(crate) fn skip(&mut self, bound: Score) {
        (self.skips, self.tried) = (true, self.tried.saturating_sub(1));
        self.best.score = self.best.score.max(bound);
    }

    /// Takes note of the score of a move. True if it is better than all that was known.
    pub(crate) fn note(&mut self, tag: MoveTag, score: Score) -> bool {
        self.finished += 1;
        let alpha = self.window.alpha.max(self.best.score);
        if score > self.best.score {
            self.best.score = score;
            if score > alpha {
                self.best.tag = Some(tag);
                self.variation = None;
                return true;
            }
        }
        false
    }
}

/// All that a processor needs to search one move of another's node, as plain data.
pub struct Assignment<P> {
    /// The father.
    pub position: P,
    /// How the game came to it from the root.
    pub steps: Vec<Step>,
    /// The father's window, as it is now.
    pub window: Window,
    /// The father's depth.
    pub depth: Depth,
    /// How the father was reached.
    pub arrival: Arrival,
    /// The father's estimate, if there is one.
    pub estimate: Option<Score>,
    /// What father and grandfather were estimated at when they were first seen.
    pub standing: [Option<Score>; 2],
    /// How much deeper the father's moves are searched.
    pub extension: i32,
    /// The move.
    pub played: Move,
    /// Moves of the father that were begun before it.
    pub tried: usize,
    /// How much its piece loses, if that is known.
    pub loss: Option<i32>,
    /// The depth of the iteration.
    pub root_depth: i32,
    /// Whether to find out only whether the move is better.
    pub only_test: bool,
}

/// What became of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its score for the father, or a bound where it lies outside of the father's window.
    pub score: Score,
    /// Whether the score only says that the move is better than it was tested for.
    pub only_tested: bool,
    /// Whether the move was not searched: the score is what it may be worth at most.
    pub skipped: bool,
    /// What it leads to, if it is better.
    pub variation: Vec<Move>,
}

/// The nodes of a line, by ply.
pub(crate) struct Line<P>(Vec<Ply<P>>);

impl<P> Line<P> {
    pub(crate) fn new() -> Line<P> {
        Line(Vec::new())
    }

    /// The node at a ply; there is room for it from now on.
    pub(crate) fn at(&mut self, ply: usize) -> &mut Ply<P> {
        if self.0.len() <= ply {
            self.0.resize_with(ply + 1, Ply::default);
        }
        &mut self.0[ply]
    }

    pub(crate) fn plies(&self) -> &[Ply<P>] {
        &self.0
    }

    /// Narrows the windows below a node whose window has changed. Returns the ply where the search has to go on, if
    /// what it does below is of no use any more: its node is settled, or its son has to be searched again.
    pub(crate) fn narrow_below(&mut self, ply: usize) -> Option<usize> {
        for upper in ply..self.0.len() {
            let (father, son) = self.0[upper..].split_at_mut(1);
            let (father, son) = (&father[0], son.first_mut());
            if !father.is_open {
                return None;
            }
            if father.is_settled() {
                return Some(upper);
            }
            let window = father.present_window();
            match father.link {
                Link::None => return None,
                Link::Test(above) if window.alpha > above => return Some(upper),
                // A test asks about one score; what lies beyond beta is of no interest to it.
                Link::Test(_) => return None,
                Link::Value => {
                    let son = son.filter(|son| son.is_open)?;
                    let Window { alpha, beta } = window.reversed();
                    son.window =
                        Window { alpha: son.window.alpha.max(alpha), beta: son.window.beta.min(beta) };
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(window: (i32, i32), best: i32, link: Link) -> Ply<()> {
        let window = Window { alpha: Score::estimate(window.0), beta: Score::estimate(window.1) };
        let best = Best { score: Score::estimate(best), tag: None };
        Ply { is_open: true, window, best, link, ..Ply::default() }
    }

    /// Feldmann's cases: a father with the window [1, 9] knows a move worth 5, and now one worth 7.
    #[test]
    fn a_better_score_narrows_what_is_below() {
        let son = || open((-9, -5), -8, Link::None);
        let mut line = Line(vec![open((1, 9), 7, Link::Value), son()]);
        assert_eq!(line.narrow_below(0), None);
        assert_eq!(line.0[1].present_window().beta, Score::estimate(-7));
        // The son knows a move that is good enough against 7: it is done.
        let mut line = Line(vec![open((1, 9), 7, Link::Value), open((-9, -5), -6, Link::None)]);
        assert_eq!(line.narrow_below(0), Some(1));
        // A test above 5 is of no use any more; its father goes on with a test above 7.
        let mut line = Line(vec![open((1, 9), 7, Link::Test(Score::estimate(5))), son()]);
        assert_eq!(line.narrow_below(0), Some(0));
        let mut line = Line(vec![open((1, 9), 5, Link::Test(Score::estimate(5))), son()]);
        assert_eq!(line.narrow_below(0), None);
        // Nothing more is wanted of a father that has reached beta.
        let mut line = Line(vec![open((1, 9), 9, Link::Value), son()]);
        assert_eq!(line.narrow_below(0), Some(0));
    }

    #[test]
    fn kinds_of_sons_are_those_of_the_minimal_tree() {
        let sons = |kind: NodeKind| [kind.son(true), kind.son(false)];
        assert_eq!(sons(NodeKind::Principal), [NodeKind::Principal, NodeKind::Cut]);
        assert_eq!(sons(NodeKind::Cut), [NodeKind::All, NodeKind::Cut]);
        assert_eq!(sons(NodeKind::All), [NodeKind::Cut, NodeKind::Cut]);
    }
}
