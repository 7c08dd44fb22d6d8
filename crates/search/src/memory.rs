//! Moves that were good elsewhere. All are known by their signature difference, so that any game will do.

use game::Signature;

use crate::depth::Depth;

/// Plies that are remembered apart.
pub(crate) const PLY_MAX: usize = 256;
const HISTORY_BITS: u32 = 14;
const CONTINUATION_BITS: u32 = 16;
/// Records lie within plus and minus this.
pub(crate) const RECORD_MAX: i32 = 1 << 14;

/// Records of moves, killers and countermoves of a search.
pub(crate) struct MoveMemory {
    /// How good a move was anywhere.
    history: Box<[i16]>,
    /// How good a move was as an answer to another.
    continuations: Box<[i16]>,
    countermoves: Box<[Signature]>,
    killers: Vec<[Signature; 2]>,
}

fn slot(difference: Signature) -> usize {
    (difference.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HISTORY_BITS)) as usize
}

fn slot_of_pair(previous: Signature, difference: Signature) -> usize {
    let pair = previous.0.rotate_left(21) ^ difference.0;
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CONTINUATION_BITS)) as usize
}

/// Moves a record towards its limit, the less the nearer it is.
fn adjust(record: &mut i16, by: i32) {
    let old = i32::from(*record);
    *record = (old + by - old * by.abs() / RECORD_MAX) as i16;
}

impl MoveMemory {
    pub(crate) fn new() -> MoveMemory {
        MoveMemory {
            history: vec![0; 1 << HISTORY_BITS].into(),
            continuations: vec![0; 1 << CONTINUATION_BITS].into(),
            countermoves: vec![Signature::default(); 1 << HISTORY_BITS].into(),
            killers: vec![Default::default(); PLY_MAX + 1],
        }
    }

    pub(crate) fn history(&self, difference: Signature) -> i32 {
        i32::from(self.history[slot(difference)])
    }

    pub(crate) fn continuation(&self, previous: Signature, difference: Signature) -> i32 {
        i32::from(self.continuations[slot_of_pair(previous, difference)])
    }

    pub(crate) fn killers(&self, ply: usize) -> [Signature; 2] {
        self.killers[ply]
    }

    pub(crate) fn countermove(&self, previous: Signature) -> Signature {
        self.countermoves[slot(previous)]
    }

    /// Remembers that a quiet move was good, or not as good as another, the more the deeper the search.
    pub(crate) fn record(&mut self, difference: Signature, previous: Signature, depth: Depth, good: bool) {
        let depth = depth.0.clamp(0, 20);
        let by = (16 * depth * depth + 32 * depth).min(RECORD_MAX / 8);
        let by = if good { by } else { -by };
        adjust(&mut self.history[slot(difference)], by);
        adjust(&mut self.continuations[slot_of_pair(previous, difference)], by);
    }

    /// Remembers a quiet move that refuted its brothers' parent.
    pub(crate) fn refuted(&mut self, difference: Signature, previous: Signature, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != difference {
            *killers = [difference, killers[0]];
        }
        self.countermoves[slot(previous)] = difference;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stay_within_their_limits() {
        let mut memory = MoveMemory::new();
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
