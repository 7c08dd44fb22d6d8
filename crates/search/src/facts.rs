//! What was found out about positions before, beside the table: their estimates, and whether the mover is threatened.
//! Positions come up again and again by other ways, and rules may be the dearest part of a node.

use game::Signature;

const SLOTS: usize = 1 << 18;
const HAS_ESTIMATE: u8 = 1;
const HAS_THREAT: u8 = 2;
const THREATENED: u8 = 4;

/// The last position seen in each slot.
pub(crate) struct Facts(Box<[Fact]>);

#[derive(Clone, Copy, Default)]
struct Fact {
    signature: Signature,
    estimate: i32,
    known: u8,
}

fn slot(signature: Signature) -> usize {
    (signature.0 >> 24) as usize % SLOTS
}

impl Facts {
    pub(crate) fn new() -> Facts {
        Facts(vec![Fact::default(); SLOTS].into())
    }

    pub(crate) fn estimate(&self, signature: Signature) -> Option<i32> {
        self.known(signature, HAS_ESTIMATE).map(|fact| fact.estimate)
    }

    pub(crate) fn threatened(&self, signature: Signature) -> Option<bool> {
        self.known(signature, HAS_THREAT).map(|fact| fact.known & THREATENED != 0)
    }

    pub(crate) fn put_estimate(&mut self, signature: Signature, estimate: i32) {
        let fact = self.of(signature);
        fact.estimate = estimate;
        fact.known |= HAS_ESTIMATE;
    }

    pub(crate) fn put_threatened(&mut self, signature: Signature, threatened: bool) {
        let fact = self.of(signature);
        fact.known |= HAS_THREAT | if threatened { THREATENED } else { 0 };
    }

    fn known(&self, signature: Signature, what: u8) -> Option<&Fact> {
        let fact = &self.0[slot(signature)];
        (fact.signature == signature && fact.known & what != 0).then_some(fact)
    }

    /// The slot of a position; what it held of another is forgotten.
    fn of(&mut self, signature: Signature) -> &mut Fact {
        let fact = &mut self.0[slot(signature)];
        if fact.signature != signature {
            *fact = Fact { signature, ..Fact::default() };
        }
        fact
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
    }
}
