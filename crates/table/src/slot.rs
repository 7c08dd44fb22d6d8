//! An entry in shared memory: two words, written and read without locks.
//!
//! Words are relaxed atomics, so nothing is undefined; but a reader may see one word of one writer and the other
//! of another. Such a torn entry must not be believed:
//!
//! ```text
//! content   depth 8 | move 24 | score 32
//! check     effort 6 | generation 6 | bound 2 | used 2 | 48 bits: signature ^ seal(content)
//! ```
//!
//! The seal is a multiplicative hash of the content. Reading takes it off again: the 48 bits equal those of the
//! signature only if both words were written together (or the contents are equal, and then the check word is
//! whole by itself). Another content passes with a probability of 2^-47. The 16 bits of the signature that are
//! not in the check are the highest ones, which choose the bucket.

use std::sync::atomic::{AtomicU64, Ordering};

use game::Signature;

use crate::entry::{Bound, Entry, MoveTag};

/// Bits of the signature in the check word.
const CHECK_BITS: u32 = 48;
const CHECK_MASK: u64 = (1 << CHECK_BITS) - 1;
const USED: u64 = 1;

/// Room for an entry. Any thread writes and reads either word at any time; relaxed order suffices because the
/// words prove by themselves that they belong together, and nothing else is published through them.
#[derive(Default, Debug)]
#[repr(C)]
pub struct Slot {
    check: AtomicU64,
    content: AtomicU64,
}

/// What was read from a slot: an entry, and the part of a signature that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The lower bits of the signature; the caller compares.
    pub check: u64,
    /// The entry.
    pub entry: Entry,
}

impl Found {
    /// Whether the entry is about this position.
    #[must_use]
    #[inline]
    pub fn is_of(&self, signature: Signature) -> bool {
        self.check == signature.0 & CHECK_MASK
    }
}

fn seal(content: u64) -> u64 {
    content.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CHECK_BITS)
}

impl Slot {
    /// What the slot holds; `None` when it is empty. A torn entry looks like one of another position.
    #[must_use]
    #[inline]
    pub fn read(&self) -> Option<Found> {
        let check = self.check.load(Ordering::Relaxed);
        let content = self.content.load(Ordering::Relaxed);
        let marks = check >> CHECK_BITS;
        if marks & 3 != USED {
            return None;
        }
        let entry = Entry {
            score: content as u32 as i32,
            best: MoveTag::from_bits((content >> 32) as u32),
            depth: (content >> 56) as u8,
            bound: match marks >> 2 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            generation: (marks >> 4 & 63) as u8,
            effort: (marks >> 10) as u8,
        };
        Some(Found { check: (check ^ seal(content)) & CHECK_MASK, entry })
    }

    /// Has the slot fetched, so that it is near when it is needed. Nothing waits for that.
    #[inline]
    pub fn touch(&self) {
        crate::room::fetch(self);
    }

    /// The entry of a position, if that is what the slot holds.
    #[must_use]
    #[inline]
    pub fn read_of(&self, signature: Signature) -> Option<Entry> {
        self.read().filter(|found| found.is_of(signature)).map(|found| found.entry)
    }

    /// Overwrites the slot.
    pub fn write(&self, signature: Signature, entry: &Entry) {
        let best = u64::from(MoveTag::to_bits(entry.best));
        let content = u64::from(entry.score as u32) | best << 32 | u64::from(entry.depth) << 56;
        let bound = match entry.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        let effort = u64::from(entry.effort.min(Entry::EFFORT_MAX));
        let generation = u64::from(entry.generation % Entry::GENERATIONS);
        let marks = effort << 10 | generation << 4 | bound << 2 | USED;
        let check = (signature.0 & CHECK_MASK) ^ seal(content) | marks << CHECK_BITS;
        self.check.store(check, Ordering::Relaxed);
        self.content.store(content, Ordering::Relaxed);
    }

    /// Overwrites the slot by what was read elsewhere.
    pub fn write_found(&self, found: &Found) {
        self.write(Signature(found.check), &found.entry);
    }

    /// The slot as it lies in memory; all 0 if it is empty.
    pub(crate) fn words(&self) -> [u64; 2] {
        [self.check.load(Ordering::Relaxed), self.content.load(Ordering::Relaxed)]
    }

    /// Overwrites the slot by such words.
    pub(crate) fn set_words(&self, [check, content]: [u64; 2]) {
        self.check.store(check, Ordering::Relaxed);
        self.content.store(content, Ordering::Relaxed);
    }

    /// Empties the slot.
    pub fn clear(&self) {
        self.check.store(0, Ordering::Relaxed);
        self.content.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry() -> impl Strategy<Value = Entry> {
        (any::<i32>(), 0..3, any::<u8>(), any::<u32>(), 0..64_u8, 0..64_u8).prop_map(
            |(score, bound, depth, best, effort, generation)| Entry {
                score,
                bound: [Bound::Exact, Bound::Lower, Bound::Upper][bound as usize],
                depth,
                best: MoveTag::from_bits(best),
                effort,
                generation,
            },
        )
    }

    proptest! {
        #[test]
        fn a_slot_gives_back_what_was_written(signature: u64, entry in entry()) {
            let slot = Slot::default();
            prop_assert!(slot.read().is_none());
            slot.write(Signature(signature), &entry);
            prop_assert_eq!(slot.read_of(Signature(signature)), Some(entry));
            prop_assert_eq!(slot.read_of(Signature(signature ^ 1)), None);
        }

        /// One word of one entry and the other of another, for the same position.
        #[test]
        fn a_torn_entry_is_not_believed(signature: u64, first in entry(), second in entry()) {
            let (one, other) = (Slot::default(), Slot::default());
            one.write(Signature(signature), &first);
            other.write(Signature(signature), &second);
            other.content.store(one.content.load(Ordering::Relaxed), Ordering::Relaxed);
            if let Some(torn) = other.read_of(Signature(signature)) {
                prop_assert_eq!((torn.score, torn.best, torn.depth), (second.score, second.best, second.depth));
            }
        }
    }

    #[test]
    fn entries_that_differ_in_depth_alone_are_told_apart() {
        let (one, other, signature) = (Slot::default(), Slot::default(), Signature(77));
        let mut entry =
            Entry { score: 5, bound: Bound::Exact, depth: 3, best: None, effort: 1, generation: 0 };
        one.write(signature, &entry);
        entry.depth = 4;
        other.write(signature, &entry);
        other.content.store(one.content.load(Ordering::Relaxed), Ordering::Relaxed);
        assert_eq!(other.read_of(signature), None);
    }
}
