//! What is searched less deep, and what deeper.

use game::{Game, MoveList, MoveView};
use table::{Bound, MoveTag, Table};

use crate::company::Company;
use crate::depth::Depth;
use crate::line::Link;
use crate::memory::RECORD_MAX;
use crate::node::{Arrival, Node};
use crate::score::{Score, Window};
use crate::searcher::Searcher;
use crate::watch::Interrupt;

/// Late moves are reduced from this depth on.
const LATE_MOVE_DEPTH_MIN: Depth = Depth(3);
/// A table move is tested for being singular from this depth on.
const SINGULAR_DEPTH_MIN: Depth = Depth(6);
/// Without a first move, depth is saved from this depth on.
const INTERNAL_DEPTH_MIN: Depth = Depth(4);

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Feldmann's fail-high reduction: in a null window, a mover who already stands better than beta is expected
    /// to stay there, and one ply less must do to show it.
    pub(crate) fn fail_high_reduction(&mut self, node: &Node<'_, G::Position>) -> i32 {
        let on = self.heuristics.fail_high_reductions && node.is_scouted() && node.ply > 0;
        let expected = on && node.estimate.is_some_and(|estimate| estimate >= node.window.beta);
        self.statistics.fail_high_reductions += u64::from(expected);
        i32::from(expected)
    }

    /// Without a good first move the search is dear: spend less now, and the next iteration has one.
    pub(crate) fn internal_iterative_reduction(&mut self, node: &Node<'_, G::Position>) -> i32 {
        let reduced = self.heuristics.internal_iterative_reductions
            && self.heuristics.table
            && node.ply > 0
            && node.depth >= INTERNAL_DEPTH_MIN
            && node.known.best.is_none()
            && node.arrival.excluded.is_none();
        self.statistics.internal_iterative_reductions += u64::from(reduced);
        i32::from(reduced)
    }

    /// How much less deep a quiet move, or a capture that loses its piece, is searched that comes late in a good order.
    pub(crate) fn late_move_reduction(
        &self,
        node: &Node<'_, G::Position>,
        played: MoveView<'_>,
        tried: usize,
        loss: Option<i32>,
    ) -> i32 {
        let first_late = if node.is_scouted() { 2 } else { 4 };
        let on = self.heuristics.late_move_reductions
            && node.depth >= LATE_MOVE_DEPTH_MIN
            && tried >= first_late
            && !node.arrival.threatened
            && (!played.head.forcing()
                || self.heuristics.capture_reductions && loss.is_some_and(|loss| loss > 0));
        if !on {
            return 0;
        }
        let difference = played.head.signature_difference;
        let is_killer = self.memory.killers(node.ply).contains(&difference);
        let logarithms = self.logarithm(node.depth.0 as usize) * self.logarithm(tried);
        // More only where there are kings: in Othello it lost more games than it won.
        let has_royals = self.knowledge.has_royals();
        let usual = if has_royals { 0.75 + logarithms / 1.6 } else { 0.5 + logarithms / 2.2 };
        let record = self.past_record(difference, node.arrival.previous) as f32 / (RECORD_MAX / 2) as f32;
        let less = [is_killer, !node.is_scouted()].into_iter().filter(|&is| is).count() as f32;
        let more = f32::from(u8::from(has_royals && !self.is_improving(node)));
        // Reasons add up before anything is rounded.
        let reduction = (usual + more - less - record.clamp(-2.5, 2.5)).floor();
        (reduction as i32).clamp(0, node.depth.0 - 2)
    }

    fn logarithm(&self, number: usize) -> f32 {
        self.logarithms.get(number).copied().unwrap_or_else(|| (number as f32).ln())
    }

    /// A mover without a choice does not come nearer to the horizon; but where captures are compulsory, a capture
    /// without choice is an everyday matter, and is followed behind the horizon anyway: checkers lost 65 Elo by
    /// extending it.
    pub(crate) fn forced_extension(&mut self, node: &Node<'_, G::Position>, moves: &MoveList) -> i32 {
        let compelled = || !self.knowledge.captures_are_optional && moves.get(0).head.forcing();
        let extended = self.heuristics.forced_extensions
            && moves.len() == 1
            && !compelled()
            && node.ply > 0
            && node.arrival.excluded.is_none()
            && self.may_extend(node);
        self.statistics.forced_extensions += u64::from(extended);
        i32::from(extended)
    }

    /// Where a move threatens what cannot be lost: how much deeper to look at the answers. `depth` is what is left
    /// after the move. A piece that can be taken for it threatens nothing for long.
    pub(crate) fn threat_extension(
        &mut self,
        node: &Node<'_, G::Position>,
        played: MoveView<'_>,
        child: &G::Position,
        depth: Depth,
    ) -> Result<Option<i32>, Interrupt> {
        let on = &self.heuristics;
        if !on.threat_extensions && !on.threat_leaves
            || !self.is_threatened_after(node.position, played, child)?
        {
            return Ok(None);
        }
        let on = self.heuristics.threat_extensions && depth.0 >= 1 && self.may_extend(node);
        let extended = on && (!self.heuristics.exchanges || self.exchange_loss(node.position, played)? == 0);
        self.statistics.threat_extensions += u64::from(extended);
        Ok(Some(i32::from(extended)))
    }

    /// Extensions end somewhere: no line gets longer than twice the iteration.
    fn may_extend(&self, node: &Node<'_, G::Position>) -> bool {
        (node.ply as i32) < 2 * self.root_depth
    }

    /// Is the move of the table much better than all others? Then it is searched a ply deeper.
    pub(crate) fn singular_extension(
        &mut self,
        node: &Node<'_, G::Position>,
        tag: MoveTag,
    ) -> Result<i32, Interrupt> {
        let on = self.heuristics.singular_extensions
            && node.ply > 0
            && node.depth >= SINGULAR_DEPTH_MIN
            && node.arrival.excluded.is_none()
            && node.known.best == Some(tag)
            && self.may_extend(node);
        let Some(entry) = node.known.entry.filter(|_| on) else { return Ok(0) };
        let score = Score::from_stored(entry.score, node.ply);
        let deep_enough = i32::from(entry.depth) >= node.depth.0 - 3;
        if entry.bound == Bound::Upper || !deep_enough || score.is_decided() {
            return Ok(0);
        }
        let margin = self.knowledge.unit.saturating_mul(node.depth.0) / 16 + 1;
        let arrival = Arrival { excluded: Some(tag), principal: false, ..node.arrival };
        let window = Window::above(score.plus(-margin));
        self.link(self.is_shared(node), node.ply, Link::None);
        // The ply of this node is used again for its brothers; the lists of this ply are in use, so the search
        // works with fresh ones.
        let others = self.node(node.position, window, Depth((node.depth.0 - 1) / 2), arrival)?;
        let singular = others <= window.alpha;
        self.statistics.singular_extensions += u64::from(singular);
        Ok(i32::from(singular))
    }
}
