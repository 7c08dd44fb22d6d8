//! What was found out about positions before, beside the table: their estimates, and whether the mover is threatened.
//! Positions come up again and again by other ways, and rules may be the dearest part of a node.

use game::Signature;

const SLOTS: usize = 1 << 18;
const HAS_ESTIMATE: u64 = 1;
const HAS_THREAT: u64 = 2;
const THREATENED: u64 = 4;
const ESTIMATE_SHIFT: u32 = 32;

/// The last position seen in each slot: its signature, and what is known of it. Plain words, because the system gives
/// out zeros page by page when they are first used: a short search does not pay for what it does not touch.
pub(crate) struct Facts(Box<[[u64; 2]]>);

fn slot(signature: Signature) -> usize {
    (signature.0 >> 24) as usize % SLOTS
}

impl Facts {
    pub(crate) fn new() -> Facts {
        Facts(vec![[0; 2]; SLOTS].into())
    }

    pub(crate) fn estimate(&self, signature: Signature) -> Option<i32> {
        self.known(signature, HAS_ESTIMATE).map(|known| (known >> ESTIMATE_SHIFT) as u32 as i32)
    }

    pub(crate) fn threatened(&self, signature: Signature) -> Option<bool> {
        self.known(signature, HAS_THREAT).map(|known| known & THREATENED != 0)
    }

    pub(crate) fn put_estimate(&mut self, signature: Signature, estimate: i32) {
        *self.of(signature) |= u64::from(estimate as u32) << ESTIMATE_SHIFT | HAS_ESTIMATE;
    }

    pub(crate) fn put_threatened(&mut self, signature: Signature, threatened: bool) {
        *self.of(signature) |= HAS_THREAT | if threatened { THREATENED } else { 0 };
    }

    fn known(&self, signature: Signature, what: u64) -> Option<u64> {
        let [whose, known] = self.0[slot(signature)];
        (whose == signature.0 && known & what != 0).then_some(known)
    }

    /// What is known of a position, to be added to; what the slot held of another is forgotten.
    fn of(&mut self, signature: Signature) -> &mut u64 {
        let [whose, known] = &mut self.0[slot(signature)];
        if *whose != signature.0 {
            (*whose, *known) = (signature.0, 0);
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_position_of_a_slot_is_kept() {
        let mut facts = Facts::new();
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
