//! Estimates that were wrong before: how far searches came out above or below them in positions that have something in
//! common, which is what cannot change back (pawns and what was captured, in chess) or the last move.

use std::sync::atomic::{AtomicI32, Ordering};

use game::{Colour, Game, Signature};
use table::Table;

use crate::company::Company;
use crate::depth::Depth;
use crate::node::Node;
use crate::score::{Score, Window};
use crate::searcher::Searcher;

const BITS: u32 = 14;
/// Records are kept in such parts of what estimates are in.
const GRAIN: i32 = 256;
/// The weight of a search among those before it, of `WEIGHTS`, by its depth.
const WEIGHT_MAX: i32 = 16;
const WEIGHTS: i32 = 256;

/// How far estimates were wrong, for one search or several that learn from each other: as with records of moves,
/// relaxed order suffices.
pub(crate) struct Corrections {
    /// By what cannot change back.
    lasting: Box<[AtomicI32]>,
    /// By the last move.
    previous: Box<[AtomicI32]>,
    /// No record is larger.
    limit: i32,
}

fn slot(key: Signature, mover: Colour) -> usize {
    let key = key.0 ^ mover.index() as u64;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// Draws a record towards an error.
fn draw(record: &AtomicI32, error: i32, weight: i32, limit: i32) {
    let now = i64::from(record.load(Ordering::Relaxed)) * i64::from(WEIGHTS - weight)
        + i64::from(error) * i64::from(weight);
    let limit = i64::from(limit);
    record.store((now / i64::from(WEIGHTS)).clamp(-limit, limit) as i32, Ordering::Relaxed);
}

impl Corrections {
    /// No estimate was wrong so far; the unit is that of margins.
    pub(crate) fn new(unit: i32) -> Corrections {
        let limit = unit.min(1 << 20) / 2 * GRAIN;
        let [lasting, previous] = [(); 2].map(|()| table::room::numbers(1 << BITS));
        Corrections { lasting, previous, limit }
    }

    /// What is to be added to an estimate.
    #[inline]
    fn of(&self, lasting: Signature, previous: Signature, mover: Colour) -> i32 {
        let [lasting, previous] =
            [&self.lasting[slot(lasting, mover)], &self.previous[slot(previous, mover)]];
        (lasting.load(Ordering::Relaxed) + previous.load(Ordering::Relaxed)) / (2 * GRAIN)
    }

    /// A search to this depth came out so far above an estimate.
    fn note(&self, lasting: Signature, previous: Signature, mover: Colour, error: i32, depth: Depth) {
        let weight = (depth.0 + 1).clamp(1, WEIGHT_MAX);
        let error = error.saturating_mul(GRAIN).clamp(-4 * self.limit, 4 * self.limit);
        draw(&self.lasting[slot(lasting, mover)], error, weight, self.limit);
        draw(&self.previous[slot(previous, mover)], error, weight, self.limit);
    }
}

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// The estimate of the present position, corrected by what searches have found.
    #[inline]
    pub(crate) fn corrected(&self, position: &G::Position, estimate: Score) -> Score {
        if !self.heuristics.corrections {
            return estimate;
        }
        let (lasting, previous) = (self.path.lasting(), self.path.last_change());
        estimate.plus(self.experience.corrections.of(lasting, previous, self.mover(position)))
    }

    /// Notes what a search of the present node has found where that says that the estimate was wrong.
    pub(crate) fn correct(&mut self, node: &Node<'_, G::Position>, score: Score, window: Window) {
        let Some(estimate) = node.plain_estimate.filter(|_| self.heuristics.corrections) else { return };
        let is_only_a_bound =
            score >= window.beta && score <= estimate || score <= window.alpha && score >= estimate;
        if is_only_a_bound || score.is_decided() {
            return;
        }
        let error = score.value() - estimate.value();
        let (lasting, previous) = (self.path.lasting(), self.path.last_change());
        let mover = self.mover(node.position);
        self.experience.corrections.note(lasting, previous, mover, error, node.depth);
        if node.depth >= self.told_depth {
            self.others
                .iter()
                .for_each(|other| other.corrections.note(lasting, previous, mover, error, node.depth));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_drawn_towards_what_searches_find_and_no_further_than_half_a_unit() {
        let corrections = Corrections::new(100);
        let (lasting, previous) = (Signature(5), Signature(6));
        let correction = |corrections: &Corrections| corrections.of(lasting, previous, Colour::White);
        for _ in 0..100 {
            corrections.note(lasting, previous, Colour::White, 20, Depth(8));
        }
        assert!((15..=20).contains(&correction(&corrections)), "{}", correction(&corrections));
        assert_eq!(corrections.of(lasting, previous, Colour::Black), 0);
        for _ in 0..1000 {
            corrections.note(lasting, previous, Colour::White, -100_000, Depth(8));
        }
        assert_eq!(correction(&corrections), -50);
    }
}
