//! Repetition: has this position occurred before?
//!
//! Only positions since the last irreversible move can recur, and only the signatures of those are scanned. A
//! small counting filter in front answers "no" at once in nearly all cases.

use crate::signature::Signature;

/// What a repetition means for the player who brings it about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionResult {
    /// Nothing at all.
    Ignored,
    /// The game is drawn.
    Draw,
    /// The player who repeats loses.
    Loss,
    /// The player who repeats wins.
    Win,
    /// The move is not legal.
    Forbidden,
}

/// The game's rule about positions that occur again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// What happens.
    pub result: RepetitionResult,
    /// At which occurrence of the position; the first one counts.
    pub occurrences: u32,
}

impl Repetition {
    /// What holds when the rules say nothing: a third occurrence is a draw.
    #[must_use]
    pub fn usual() -> Repetition {
        Repetition { result: RepetitionResult::Draw, occurrences: 3 }
    }
}

const FILTER_SIZE: usize = 1024;

/// The signatures of a line of play, back to its start. They are those of [`crate::Recurrence`], so that the counters
/// of a position do not hide that it has occurred before.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Occurrence>,
    filter: Box<[u16; FILTER_SIZE]>,
}

#[derive(Clone, Copy, Debug)]
struct Occurrence {
    signature: Signature,
    /// The first entry that can still be equal to this one.
    first_comparable: u32,
}

impl History {
    /// A line that starts with this position.
    #[must_use]
    pub fn new(start: Signature) -> History {
        let mut history = History { entries: Vec::new(), filter: Box::new([0; FILTER_SIZE]) };
        history.push(start, true);
        history
    }

    /// Positions so far, the present one included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never true: a line has at least its start.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a position and says how the move that led to it was marked.
    #[inline]
    pub fn push(&mut self, signature: Signature, irreversible: bool) {
        let index = self.entries.len() as u32;
        let first_comparable = match self.entries.last() {
            Some(last) if !irreversible => last.first_comparable,
            _ => index,
        };
        self.filter[slot(signature)] += 1;
        self.entries.push(Occurrence { signature, first_comparable });
    }

    /// Forgets all positions but this one, after which none of them can come again.
    pub fn restart(&mut self, signature: Signature) {
        while !self.entries.is_empty() {
            self.pop();
        }
        self.push(signature, true);
    }

    /// Removes the newest position.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(entry) = self.entries.pop() {
            self.filter[slot(entry.signature)] -= 1;
        }
    }

    /// How often the newest position has occurred, itself included.
    #[must_use]
    #[inline]
    pub fn occurrences(&self) -> u32 {
        let Some(newest) = self.entries.last() else { return 0 };
        if self.filter[slot(newest.signature)] < 2 {
            return 1;
        }
        let comparable = &self.entries[newest.first_comparable as usize..];
        comparable.iter().filter(|entry| entry.signature == newest.signature).count() as u32
    }
}

fn slot(signature: Signature) -> usize {
    signature.0 as usize % FILTER_SIZE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_back_to_the_last_irreversible_move() {
        let mut history = History::new(Signature(1));
        history.push(Signature(2), false);
        history.push(Signature(1), false);
        assert_eq!(history.occurrences(), 2);
        history.push(Signature(1 + FILTER_SIZE as u64), false);
        assert_eq!(history.occurrences(), 1, "the same filter slot is not the same position");
        history.pop();
        assert_eq!(history.occurrences(), 2);
        history.push(Signature(3), true);
        history.push(Signature(1), false);
        assert_eq!(history.occurrences(), 1, "an irreversible move lies between");
    }
}
