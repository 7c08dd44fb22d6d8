//! Which entry has to go when there is no room, after D. M. Breuker's comparison of schemes.

use std::cmp::Reverse;

use crate::entry::Entry;

/// What makes an entry worth keeping. If unsure, choose [`Replacement::Age`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replacement {
    /// The depth that was searched (Breuker's Deep).
    Depth,
    /// Entries of the present search before those of earlier ones; then depth.
    #[default]
    Age,
    /// The nodes that were spent (Breuker's Big): what was dear to find out is kept.
    Size,
}

impl Replacement {
    /// All of them.
    pub const ALL: [Replacement; 3] = [Replacement::Depth, Replacement::Age, Replacement::Size];

    /// The worth of an entry in the eyes of a search of this generation; more is better.
    #[must_use]
    pub fn worth(self, entry: &Entry, generation: u8) -> (Reverse<u8>, u8) {
        match self {
            Replacement::Depth => (Reverse(0), entry.depth),
            Replacement::Age => (Reverse(entry.age(generation)), entry.depth),
            Replacement::Size => (Reverse(0), entry.effort),
        }
    }
}

/// The entry to remember when a new one of the same position comes: the new one, with the old move if it has
/// none. `None` when the old one says more: a deeper search of the present generation, of which the new one
/// is a shallower bound.
pub(crate) fn merged(old: &Entry, new: Entry, generation: u8) -> Option<Entry> {
    let fresher = old.age(generation) > 0;
    let exact = new.bound == crate::Bound::Exact;
    // A shallow search may follow a deep one by way of a reduction; three plies less is too little to replace.
    (fresher || exact || new.depth.saturating_add(3) > old.depth)
        .then_some(Entry { best: new.best.or(old.best), ..new })
}
