//! ProbCut: a capture that is good enough by far after a shallow search will be good enough after a deep one (M. Buro).

use game::{Game, MoveView};
use table::{Bound, Table};

use crate::company::Company;
use crate::depth::Depth;
use crate::node::{Arrival, Node};
use crate::score::{Score, Window};
use crate::searcher::{Frame, Searcher};
use crate::watch::Interrupt;

/// From this depth on.
const DEPTH_MIN: Depth = Depth(5);
/// The shallow search goes so much less deep.
const LESS: i32 = 4;
/// So many captures are tried.
const TRIED_MAX: usize = 3;

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// The score of a capture that is good enough by far after a shallow search.
    pub(crate) fn probable_cutoff(
        &mut self,
        node: &Node<'_, G::Position>,
        frame: &mut Frame,
    ) -> Result<Option<Score>, Interrupt> {
        let beta = node.window.beta;
        let on = self.heuristics.probable_cutoffs
            && self.knowledge.captures_are_optional
            && self.knowledge.unit > 0
            && node.ply > 0
            && node.depth >= DEPTH_MIN
            && node.is_scouted()
            && node.arrival.excluded.is_none()
            && !node.arrival.threatened
            && !beta.is_decided();
        let Some(estimate) = node.estimate.filter(|_| on) else { return Ok(None) };
        let enough = beta.plus(self.knowledge.unit.saturating_mul(3) / 2);
        let known_to_fail = node.known.entry.is_some_and(|entry| {
            entry.bound != Bound::Lower
                && i32::from(entry.depth) >= node.depth.0 - LESS
                && Score::from_stored(entry.score, node.ply) < enough
        });
        if known_to_fail {
            return Ok(None);
        }
        if let Some(outcome) = self.fill(node, frame)? {
            return Ok(Some(Score::of_outcome(outcome, node.ply)));
        }
        for index in self.promising(node, frame, enough.value() - estimate.value()) {
            let played = frame.moves.get(index);
            if self.exchange_loss(node.position, played)? > 0 {
                continue;
            }
            let score = self.shallow_score(node, played, enough)?;
            if score >= enough && !score.is_decided() {
                self.statistics.probable_cutoffs += 1;
                return Ok(Some(score.plus(beta.value() - enough.value())));
            }
        }
        Ok(None)
    }

    /// The captures that win at least so much, those first that win most.
    fn promising(&self, node: &Node<'_, G::Position>, frame: &Frame, least: i32) -> Vec<usize> {
        let (info, mover) = (self.game.info(), self.mover(node.position));
        let gain = |played: MoveView<'_>| self.knowledge.gain(info, played, mover);
        let mut found: Vec<(i32, usize)> = (0..frame.moves.len())
            .map(|index| (index, frame.moves.get(index)))
            .filter(|(_, played)| played.head.forcing() && played.head.outcome().is_none())
            .map(|(index, played)| (-gain(played), index))
            .filter(|&(loss, _)| loss < 0 && -loss >= least)
            .collect();
        found.sort_unstable();
        found.truncate(TRIED_MAX);
        found.into_iter().map(|(_, index)| index).collect()
    }

    /// What a move is worth, behind the horizon first.
    fn shallow_score(
        &mut self,
        node: &Node<'_, G::Position>,
        played: MoveView<'_>,
        enough: Score,
    ) -> Result<Score, Interrupt> {
        let child = self.enter(node.position, played);
        let result = self.is_threatened(&child).and_then(|threatened| {
            let arrival = Arrival {
                previous: played.head.signature_difference,
                may_pass: self.may_pass_after(played),
                threatened,
                widest: u8::MAX,
                kind: node.arrival.kind.son(true),
                ..Arrival::default()
            };
            let window = Window::above(enough.previous()).reversed();
            let at_once = -self.leaf(&child, window, threatened)?;
            if at_once < enough {
                return Ok(at_once);
            }
            Ok(-self.node(&child, window, node.depth - LESS, arrival)?)
        });
        self.leave();
        result
    }
}
