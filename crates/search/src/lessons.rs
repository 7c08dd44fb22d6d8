//! What is remembered of the moves of a node: which one was best, and which were tried before it in vain.

use game::{Game, MoveView};
use table::Table;

use crate::company::Company;
use crate::node::{Best, Node};
use crate::ordering::SKIPPED;
use crate::score::Window;
use crate::searcher::{Frame, Searcher, find_move};

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Remembers what was found with this window. Returns whether the best move is quiet, or there is none.
    #[inline]
    pub(crate) fn learn_from(
        &mut self,
        node: &Node<'_, G::Position>,
        best: Best,
        window: Window,
        frame: &Frame,
    ) -> bool {
        let Some(played) = best.tag.and_then(|tag| find_move(&frame.moves, tag)) else { return true };
        self.learn(node, played, best.score >= window.beta, frame);
        !played.head.forcing()
    }

    /// Remembers the best move, and that those that were tried before it were not as good.
    fn learn(&mut self, node: &Node<'_, G::Position>, best: MoveView<'_>, refutes: bool, frame: &Frame) {
        let (difference, previous) = (best.head.signature_difference, node.arrival.previous);
        if !self.praise(node, best, refutes) && !refutes {
            return;
        }
        for choice in frame.order.iter().filter(|choice| choice.rank != SKIPPED) {
            let other = frame.moves.get(choice.index());
            if other.head.signature_difference == difference {
                break;
            }
            if self.is_ordered_by_memory(other) {
                self.memory.record(other.head.signature_difference, previous, node.depth, false);
            }
        }
    }

    /// Remembers the best move; false if memory has nothing to do with its place among the others.
    pub(crate) fn praise(&mut self, node: &Node<'_, G::Position>, best: MoveView<'_>, refutes: bool) -> bool {
        self.keep_best(best);
        if !self.is_ordered_by_memory(best) {
            return false;
        }
        let (difference, previous) = (best.head.signature_difference, node.arrival.previous);
        if refutes && self.is_quiet(best) {
            self.memory.refuted(difference, previous, node.ply);
        }
        self.memory.record(difference, previous, node.depth, true);
        true
    }

    fn is_ordered_by_memory(&self, played: MoveView<'_>) -> bool {
        self.heuristics.capture_history || self.is_quiet(played)
    }

    /// Whether nothing but memory speaks for a move.
    fn is_quiet(&self, played: MoveView<'_>) -> bool {
        !(self.heuristics.captures_first && played.head.forcing())
    }
}
