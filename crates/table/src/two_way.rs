//! Two entries to a set: the first is kept by worth, the second takes whatever the first does not (Breuker's
//! TwoDeep and TwoBig; also the table of the thesis).

use std::sync::atomic::{AtomicU8, Ordering};

use game::Signature;

use crate::bucketed::{advance, full, index};
use crate::contract::Table;
use crate::counters::Stored;
use crate::entry::Entry;
use crate::replacement::{Replacement, merged};
use crate::room::fresh;
use crate::slot::Slot;

/// A set: the worthy entry and the latest one.
#[derive(Default, Debug)]
#[repr(align(32))]
struct Set {
    worthy: Slot,
    latest: Slot,
}

/// A table of sets of two.
#[derive(Debug)]
pub struct TwoWay {
    sets: Box<[Set]>,
    replacement: Replacement,
    /// As in [`crate::Bucketed`].
    generation: AtomicU8,
}

impl TwoWay {
    /// A table of this size, at least one set.
    #[must_use]
    pub fn new(size_mib: usize, replacement: Replacement) -> TwoWay {
        TwoWay::with_bytes(size_mib << 20, replacement)
    }

    /// A table of this many bytes, at least one set.
    #[must_use]
    pub fn with_bytes(bytes: usize, replacement: Replacement) -> TwoWay {
        let count = (bytes / size_of::<Set>()).max(1);
        TwoWay { sets: fresh(count), replacement, generation: AtomicU8::new(0) }
    }

    fn set(&self, signature: Signature) -> &Set {
        &self.sets[index(signature, self.sets.len())]
    }
}

impl Table for TwoWay {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        let set = self.set(signature);
        set.worthy.read_of(signature).or_else(|| set.latest.read_of(signature))
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        let generation = self.generation.load(Ordering::Relaxed);
        let entry = Entry { generation, ..entry };
        let set = self.set(signature);
        for slot in [&set.worthy, &set.latest] {
            if let Some(old) = slot.read_of(signature) {
                return match merged(&old, entry, generation) {
                    Some(entry) => {
                        slot.write(signature, &entry);
                        Stored::Updated
                    }
                    None => Stored::Dropped,
                };
            }
        }
        let Some(worthy) = set.worthy.read() else {
            set.worthy.write(signature, &entry);
            return Stored::Fresh;
        };
        let latest_was_used = set.latest.read().is_some();
        let worth = |entry: &Entry| self.replacement.worth(entry, generation);
        if worth(&entry) >= worth(&worthy.entry) {
            set.latest.write_found(&worthy);
            set.worthy.write(signature, &entry);
        } else {
            set.latest.write(signature, &entry);
        }
        if latest_was_used { Stored::Replaced } else { Stored::Fresh }
    }

    fn next_generation(&self) {
        advance(&self.generation);
    }

    fn clear(&self) {
        for set in &self.sets {
            set.worthy.clear();
            set.latest.clear();
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    fn full_per_mille(&self) -> u32 {
        let sample = self.sets.iter().take(500).flat_map(|set| [&set.worthy, &set.latest]);
        full(sample, self.generation.load(Ordering::Relaxed))
    }

    fn capacity(&self) -> usize {
        self.sets.len() * 2
    }
}
