//! What happened at a table. Each search counts for itself: counters in the table would be written by all
//! searches at every node.

use std::ops::AddAssign;

use crate::entry::{Bound, Entry};

/// What became of an entry that was to be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// It took an empty place.
    Fresh,
    /// It took the place of an entry of the same position.
    Updated,
    /// It took the place of another position.
    Replaced,
    /// What was there was worth more.
    Dropped,
}

/// How often what happened.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Questions.
    pub probes: u64,
    /// Answers with an exact score.
    pub exact: u64,
    /// Answers with a lower bound.
    pub lower: u64,
    /// Answers with an upper bound.
    pub upper: u64,
    /// Entries in an empty place.
    pub fresh: u64,
    /// Entries in the place of an entry of the same position.
    pub updated: u64,
    /// Entries in the place of another position.
    pub replaced: u64,
    /// Entries that were not stored.
    pub dropped: u64,
}

impl Counters {
    /// Counts a question and its answer.
    pub fn count_probe(&mut self, answer: Option<&Entry>) {
        self.probes += 1;
        match answer.map(|entry| entry.bound) {
            Some(Bound::Exact) => self.exact += 1,
            Some(Bound::Lower) => self.lower += 1,
            Some(Bound::Upper) => self.upper += 1,
            None => {}
        }
    }

    /// Counts what became of an entry.
    pub fn count_store(&mut self, stored: Stored) {
        match stored {
            Stored::Fresh => self.fresh += 1,
            Stored::Updated => self.updated += 1,
            Stored::Replaced => self.replaced += 1,
            Stored::Dropped => self.dropped += 1,
        }
    }

    /// Answers of any kind.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.exact + self.lower + self.upper
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.probes += other.probes;
        self.exact += other.exact;
        self.lower += other.lower;
        self.upper += other.upper;
        self.fresh += other.fresh;
        self.updated += other.updated;
        self.replaced += other.replaced;
        self.dropped += other.dropped;
    }
}
