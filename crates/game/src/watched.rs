//! What an answer depends on: the fields that were asked about, and for which pieces. Who remembers that need not ask
//! again after a move that changes none of it.

use crate::info::GameInfo;
use crate::moves::MoveView;

/// Fields of the largest board that can be watched.
pub const FIELDS_MAX: usize = 128;

/// A question was whether one of these pieces stands on one of these fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Watch {
    codes: u128,
    fields: u128,
}

/// An answer, and what it depends on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Watched {
    answer: bool,
    watches: Vec<Watch>,
    /// The fields of all of them.
    fields: u128,
}

impl Watched {
    /// Forgets what was watched for another answer.
    pub fn restart(&mut self, answer: bool) {
        self.answer = answer;
        self.watches.clear();
        self.fields = 0;
    }

    /// It matters whether one of these pieces, as a set of codes, stands on each of these fields.
    pub fn add(&mut self, codes: u128, fields: u128) {
        if fields != 0 {
            self.watches.push(Watch { codes, fields });
            self.fields |= fields;
        }
    }

    /// The fields that it depends on.
    #[must_use]
    pub fn fields(&self) -> u128 {
        self.fields
    }

    /// The answer after a move, if that follows from the answer before it.
    #[must_use]
    #[inline]
    pub fn after(&self, info: &GameInfo, played: MoveView<'_>) -> Option<bool> {
        // Fields beyond cannot be watched.
        let fields = info.geometry.fields().min(FIELDS_MAX);
        for change in played.changes.iter().take_while(|change| change.slot() < fields) {
            // Most fields are not watched; a word is asked faster than both.
            let word = if change.slot() < 64 { self.fields as u64 } else { (self.fields >> 64) as u64 };
            if word >> (change.slot() % 64) & 1 == 0 {
                continue;
            }
            let bit = 1_u128 << change.slot();
            let (old, new) = (change.old(), change.new());
            let concerns =
                |watch: &Watch| watch.fields & bit != 0 && (watch.codes >> old ^ watch.codes >> new) & 1 != 0;
            if self.watches.iter().any(concerns) {
                return None;
            }
        }
        Some(self.answer)
    }
}
