//! What is known of states: below this one all has been looked at with so many moves left, or is being looked at.
//!
//! Entries are pairs of relaxed words in sets of two. The first word is the signature, mixed with the second: words
//! of two entries that were written at once do not fit together and are not believed. Whatever is lost costs time,
//! never a solution.

use std::sync::atomic::{AtomicU64, Ordering};

use table::room;

/// One of the entries of a set.
#[derive(Default)]
struct Way {
    /// The signature, exclusive or `left`. Written and read by the thread that works on the state; see above why
    /// relaxed is enough.
    sealed: AtomicU64,
    /// Moves left, plus one; 0 for an entry that is free.
    left: AtomicU64,
}

/// Entries of a set.
const WAYS: usize = 2;

/// A set lies in one line of a processor's cache.
#[derive(Default)]
#[repr(align(32))]
struct Set([Way; WAYS]);

/// A table of such sets.
pub struct Memory {
    sets: Box<[Set]>,
}

impl Memory {
    /// As many as fit into so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Memory {
        Memory { sets: room::fresh((bytes / size_of::<Set>()).clamp(1, 1 << 31)) }
    }

    /// The set of a state. Homes are chosen by the lower half of signatures, sets by the upper.
    fn set(&self, signature: u64) -> &Set {
        &self.sets[(((signature >> 32) * self.sets.len() as u64) >> 32) as usize]
    }

    /// Asks the machine to have at hand soon what is known of a state: to wait for it takes as long as many nodes.
    pub(super) fn fetch(&self, signature: u64) {
        room::fetch(self.set(signature));
    }

    /// With how many moves left a state was looked at.
    #[must_use]
    pub fn left(&self, signature: u64) -> Option<u32> {
        let read = |way: &Way| {
            let left = way.left.load(Ordering::Relaxed);
            (left != 0 && way.sealed.load(Ordering::Relaxed) ^ left == signature).then_some(left)
        };
        self.set(signature).0.iter().find_map(read).map(|left| (left - 1) as u32)
    }

    /// Notes that a state is looked at with so many moves left; false if it was already, with at least as many.
    pub fn admits(&self, signature: u64, left: u32) -> bool {
        let known = u64::from(left) + 1;
        let mut place: Option<(&Way, u64)> = None;
        for way in &self.set(signature).0 {
            let old = way.left.load(Ordering::Relaxed);
            if old != 0 && way.sealed.load(Ordering::Relaxed) ^ old == signature {
                if old >= known {
                    return false;
                }
                place = Some((way, 0));
                break;
            }
            // The one that spares less work makes room.
            if place.is_none_or(|(_, least)| old < least) {
                place = Some((way, old));
            }
        }
        if let Some((way, _)) = place {
            way.sealed.store(signature ^ known, Ordering::Relaxed);
            way.left.store(known, Ordering::Relaxed);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_looked_at_again_only_with_more_moves_left() {
        let memory = Memory::new(1 << 12);
        assert_eq!(memory.left(77), None);
        assert!(memory.admits(77, 0));
        assert!(!memory.admits(77, 0));
        assert!(memory.admits(77, 5));
        assert!(!memory.admits(77, 5) && !memory.admits(77, 3));
        assert_eq!(memory.left(77), Some(5));
    }

    #[test]
    fn what_spares_less_makes_room() {
        let memory = Memory::new(32);
        assert!(memory.admits(1, 9) && memory.admits(2, 3) && memory.admits(3, 7));
        assert_eq!((memory.left(1), memory.left(2), memory.left(3)), (Some(9), None, Some(7)));
    }
}
