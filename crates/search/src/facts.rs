//! What was found out about positions before, beside the table: their estimates, and whether the mover is threatened.
//! Positions come up again and again by other ways, and rules may be the dearest part of a node.

use std::sync::atomic::{AtomicU64, Ordering};

use game::Signature;

const SLOTS: usize = 1 << 17;
const HAS_ESTIMATE: u64 = 1;
const HAS_THREAT: u64 = 2;
const THREATENED: u64 = 4;
const ESTIMATE_SHIFT: u32 = 32;

/// The last position seen in each slot: its signature, folded with what is known of it, and what is known. Several
/// searches may write at once; words that do not belong together do not fit the signature, and are not believed.
/// Relaxed order suffices: nothing else is published. Zeros are given out by the system page by page when they are
/// first used: a short search does not pay for what it does not touch.
pub struct Facts(Box<[AtomicU64]>);

/// Where the words of a position are.
fn slot(signature: Signature) -> usize {
    (signature.0 >> 24) as usize % SLOTS * 2
}

impl Default for Facts {
    fn default() -> Facts {
        Facts::new()
    }
}

impl Facts {
    /// Nothing is known.
    #[must_use]
    pub fn new() -> Facts {
        Facts(table::room::words(2 * SLOTS))
    }

    /// The same for several threads. All memory is there from the beginning: where a page is first read and then
    /// written, the system has to stop the other threads for a moment.
    #[must_use]
    pub fn for_threads() -> Facts {
        Facts(table::room::fresh(2 * SLOTS))
    }

    #[inline]
    pub(crate) fn estimate(&self, signature: Signature) -> Option<i32> {
        self.known(signature, HAS_ESTIMATE).map(|known| (known >> ESTIMATE_SHIFT) as u32 as i32)
    }

    pub(crate) fn threatened(&self, signature: Signature) -> Option<bool> {
        self.known(signature, HAS_THREAT).map(|known| known & THREATENED != 0)
    }

    #[inline]
    pub(crate) fn put_estimate(&self, signature: Signature, estimate: i32) {
        self.add(signature, u64::from(estimate as u32) << ESTIMATE_SHIFT | HAS_ESTIMATE);
    }

    pub(crate) fn put_threatened(&self, signature: Signature, threatened: bool) {
        self.add(signature, HAS_THREAT | if threatened { THREATENED } else { 0 });
    }

    /// Has what is known of a position fetched, so that it is near when it is needed.
    #[inline]
    pub(crate) fn touch(&self, signature: Signature) {
        table::room::fetch(self.of(signature)[0]);
    }

    #[inline]
    fn known(&self, signature: Signature, what: u64) -> Option<u64> {
        let [whose, known] = self.of(signature);
        let known = known.load(Ordering::Relaxed);
        let whose = whose.load(Ordering::Relaxed) ^ known;
        (whose == signature.0 && known & what != 0).then_some(known)
    }

    /// Adds to what is known of a position; what the slot held of another is forgotten.
    fn add(&self, signature: Signature, what: u64) {
        let [whose, known] = self.of(signature);
        let before = known.load(Ordering::Relaxed);
        let same = whose.load(Ordering::Relaxed) ^ before == signature.0;
        let now = if same { before | what } else { what };
        known.store(now, Ordering::Relaxed);
        whose.store(signature.0 ^ now, Ordering::Relaxed);
    }

    #[inline]
    fn of(&self, signature: Signature) -> [&AtomicU64; 2] {
        let place = slot(signature);
        [&self.0[place], &self.0[place + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_position_of_a_slot_is_kept() {
        let facts = Facts::new();
        let (first, second) = (Signature(1 << 24 | 5), Signature(1 << 24 | 6));
        assert_eq!(facts.estimate(Signature::default()), None);
        facts.put_estimate(first, 7);
        assert_eq!((facts.estimate(first), facts.threatened(first)), (Some(7), None));
        facts.put_threatened(first, true);
        assert_eq!((facts.estimate(first), facts.threatened(first)), (Some(7), Some(true)));
        facts.put_threatened(second, false);
        assert_eq!((facts.estimate(first), facts.threatened(second)), (None, Some(false)));
        facts.put_estimate(second, -7);
        assert_eq!((facts.estimate(second), facts.threatened(second)), (Some(-7), Some(false)));
    }
}
