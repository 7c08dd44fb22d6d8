//! Estimates that were made before. Positions come up again and again by other ways, and evaluation rules may be the
//! dearest part of a node.

use game::Signature;

const SLOTS: usize = 1 << 16;

/// The last estimate made in each slot.
pub(crate) struct Estimates(Box<[(Signature, i32)]>);

fn slot(signature: Signature) -> usize {
    (signature.0 >> 24) as usize % SLOTS
}

impl Estimates {
    pub(crate) fn new() -> Estimates {
        Estimates(vec![(Signature::default(), 0); SLOTS].into())
    }

    pub(crate) fn get(&self, signature: Signature) -> Option<i32> {
        let (known, estimate) = self.0[slot(signature)];
        (known == signature && signature != Signature::default()).then_some(estimate)
    }

    pub(crate) fn put(&mut self, signature: Signature, estimate: i32) {
        self.0[slot(signature)] = (signature, estimate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_estimate_of_a_slot_is_kept() {
        let mut estimates = Estimates::new();
        let (first, second) = (Signature(1 << 24 | 5), Signature(1 << 24 | 6));
        assert_eq!(estimates.get(Signature::default()), None);
        estimates.put(first, 7);
        assert_eq!((estimates.get(first), estimates.get(second)), (Some(7), None));
        estimates.put(second, 8);
        assert_eq!((estimates.get(first), estimates.get(second)), (None, Some(8)));
    }
}
