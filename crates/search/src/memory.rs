//! Moves that were good elsewhere. All are known by their signature difference, so that any game will do.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, AtomicU64, Ordering};

use game::Signature;
use table::room::{small_numbers, words};

use crate::depth::Depth;

/// Plies that are remembered apart.
pub const PLY_MAX: usize = 256;
const HISTORY_BITS: u32 = 14;
const CONTINUATION_BITS: u32 = 16;
/// Records lie within plus and minus this.
pub(crate) const RECORD_MAX: i32 = 1 << 14;

/// Which moves were good, for one search or several that learn from each other. All of them read and write at any time;
/// a change that is lost costs a little order and nothing else, so relaxed order suffices.
pub(crate) struct Records {
    /// How good a move was anywhere.
    history: Box<[AtomicI16]>,
    /// How good a move was as an answer to another.
    continuations: Box<[AtomicI16]>,
    countermoves: Box<[AtomicU64]>,
}

impl Records {
    pub(crate) fn new() -> Records {
        Records {
            history: small_numbers(1 << HISTORY_BITS),
            continuations: small_numbers(1 << CONTINUATION_BITS),
            countermoves: words(1 << HISTORY_BITS),
        }
    }

    #[inline]
    fn change(&self, slot: usize, slot_of_pair: usize, by: i32) {
        adjust(&self.history[slot], by);
        adjust(&self.continuations[slot_of_pair], by);
    }
}

/// Records of moves, killers and countermoves of a search.
pub(crate) struct MoveMemory {
    records: Arc<Records>,
    /// The records of others who work on the same question.
    others: Vec<Arc<Records>>,
    /// Others are told what searches of at least this depth have found.
    told_depth: Depth,
    killers: Vec<[Signature; 2]>,
    /// What `history` was when others were told last; empty as long as there are none.
    told: Vec<i16>,
}

fn slot(difference: Signature) -> usize {
    (difference.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HISTORY_BITS)) as usize
}

fn slot_of_pair(previous: Signature, difference: Signature) -> usize {
    let pair = previous.0.rotate_left(21) ^ difference.0;
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CONTINUATION_BITS)) as usize
}

/// Moves a record towards its limit, the less the nearer it is.
fn adjust(record: &AtomicI16, by: i32) {
    let old = i32::from(record.load(Ordering::Relaxed));
    record.store((old + by - old * by.abs() / RECORD_MAX) as i16, Ordering::Relaxed);
}

impl MoveMemory {
    /// Nothing is known but what these records say.
    pub(crate) fn new(records: Arc<Records>) -> MoveMemory {
        MoveMemory {
            records,
            others: Vec::new(),
            told_depth: Depth(i32::MAX),
            killers: vec![Default::default(); PLY_MAX + 1],
            told: Vec::new(),
        }
    }

    /// The same; others learn what searches of at least this depth have found.
    pub(crate) fn telling(self, others: Vec<Arc<Records>>, told_depth: Depth) -> MoveMemory {
        MoveMemory { others, told_depth, ..self }
    }

    #[inline]
    pub(crate) fn history(&self, difference: Signature) -> i32 {
        i32::from(self.records.history[slot(difference)].load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn continuation(&self, previous: Signature, difference: Signature) -> i32 {
        i32::from(self.records.continuations[slot_of_pair(previous, difference)].load(Ordering::Relaxed))
    }

    pub(crate) fn killers(&self, ply: usize) -> [Signature; 2] {
        self.killers[ply]
    }

    #[inline]
    pub(crate) fn countermove(&self, previous: Signature) -> Signature {
        Signature(self.records.countermoves[slot(previous)].load(Ordering::Relaxed))
    }

    /// Remembers that a quiet move was good, or not as good as another, the more the deeper the search.
    pub(crate) fn record(&mut self, difference: Signature, previous: Signature, depth: Depth, good: bool) {
        let is_told = depth >= self.told_depth;
        let depth = depth.0.clamp(0, 20);
        let by = (16 * depth * depth + 32 * depth).min(RECORD_MAX / 8);
        let by = if good { by } else { -by };
        let (slot, slot_of_pair) = (slot(difference), slot_of_pair(previous, difference));
        self.records.change(slot, slot_of_pair, by);
        if is_told {
            self.others.iter().for_each(|other| other.change(slot, slot_of_pair, by));
        }
    }

    /// How much records have changed since this was asked last, by their places, where that is at least so much.
    pub(crate) fn take_changes(&mut self, least: i32) -> Vec<(u16, i32)> {
        self.told.resize(self.records.history.len(), 0);
        let mut changes = Vec::new();
        for (place, (told, now)) in self.told.iter_mut().zip(&self.records.history).enumerate() {
            let now = now.load(Ordering::Relaxed);
            let change = i32::from(now) - i32::from(*told);
            if change.abs() >= least {
                changes.push((place as u16, change));
                *told = now;
            }
        }
        changes
    }

    /// Adds what records have changed by elsewhere; that is not told again.
    pub(crate) fn add(&mut self, changes: impl Iterator<Item = (u16, i32)>) {
        for (place, change) in changes {
            let Some(record) = self.records.history.get(usize::from(place)) else { continue };
            let old = i32::from(record.load(Ordering::Relaxed));
            let new = (old + change).clamp(-RECORD_MAX, RECORD_MAX);
            record.store(new as i16, Ordering::Relaxed);
            if let Some(told) = self.told.get_mut(usize::from(place)) {
                *told = (i32::from(*told) + new - old).clamp(-RECORD_MAX, RECORD_MAX) as i16;
            }
        }
    }

    /// Remembers a quiet move that refuted its brothers' parent.
    #[inline]
    pub(crate) fn refuted(&mut self, difference: Signature, previous: Signature, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != difference {
            *killers = [difference, killers[0]];
        }
        self.records.countermoves[slot(previous)].store(difference.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_from_others_is_not_told_again() {
        let (played, previous) = (Signature(5), Signature(6));
        let [mut teller, mut hearer] = [(); 2].map(|()| MoveMemory::new(Arc::new(Records::new())));
        teller.record(played, previous, Depth(8), true);
        let changes = teller.take_changes(1);
        assert_eq!(changes, [(slot(played) as u16, teller.history(played))]);
        assert!(teller.take_changes(1).is_empty());
        assert!(hearer.take_changes(1).is_empty());
        hearer.add(changes.into_iter());
        assert_eq!(hearer.history(played), teller.history(played));
        assert!(hearer.take_changes(1).is_empty());
        hearer.record(played, previous, Depth(8), false);
        assert_eq!(hearer.take_changes(1).len(), 1);
    }

    #[test]
    fn records_stay_within_their_limits() {
        let mut memory = MoveMemory::new(Arc::new(Records::new()));
        let (played, previous) = (Signature(5), Signature(6));
        for _ in 0..1000 {
            memory.record(played, previous, Depth(20), true);
        }
        let best = memory.history(played);
        assert!(best > RECORD_MAX / 2 && best <= RECORD_MAX, "{best}");
        assert_eq!(memory.continuation(previous, played), best);
        assert_eq!(memory.continuation(played, previous), 0);
        for _ in 0..1000 {
            memory.record(played, previous, Depth(20), false);
        }
        assert!(memory.history(played) < -RECORD_MAX / 2 && memory.history(played) >= -RECORD_MAX);
    }
}
