//! Moves that were good elsewhere. All are known by their signature difference, so that any game will do.

use game::Signature;

use crate::depth::Depth;

/// Plies that are remembered apart.
pub(crate) const PLY_MAX: usize = 256;
const HISTORY_BITS: u32 = 14;
const HISTORY_MAX: u32 = 1 << 24;

/// History, killers and countermoves of a search.
pub(crate) struct MoveMemory {
    history: Box<[u32]>,
    countermoves: Box<[Signature]>,
    killers: Vec<[Signature; 2]>,
}

fn slot(difference: Signature) -> usize {
    (difference.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HISTORY_BITS)) as usize
}

impl MoveMemory {
    pub(crate) fn new() -> MoveMemory {
        MoveMemory {
            history: vec![0; 1 << HISTORY_BITS].into(),
            countermoves: vec![Signature::default(); 1 << HISTORY_BITS].into(),
            killers: vec![Default::default(); PLY_MAX],
        }
    }

    pub(crate) fn history(&self, difference: Signature) -> u32 {
        self.history[slot(difference)]
    }

    pub(crate) fn killers(&self, ply: usize) -> [Signature; 2] {
        self.killers[ply]
    }

    pub(crate) fn countermove(&self, previous: Signature) -> Signature {
        self.countermoves[slot(previous)]
    }

    /// Remembers a quiet move that was good, the more the deeper the search. All are halved before one gets
    /// too large.
    pub(crate) fn reward(&mut self, difference: Signature, depth: Depth) {
        let entry = &mut self.history[slot(difference)];
        *entry += 1 << depth.0.clamp(0, 16);
        if *entry > HISTORY_MAX {
            self.history.iter_mut().for_each(|entry| *entry /= 2);
        }
    }

    /// Remembers a quiet move that refuted its brothers' parent.
    pub(crate) fn refuted(&mut self, difference: Signature, previous: Signature, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != difference {
            *killers = [difference, killers[0]];
        }
        self.countermoves[slot(previous)] = difference;
    }

    /// Makes history count less than what comes now.
    pub(crate) fn fade(&mut self) {
        self.history.iter_mut().for_each(|entry| *entry /= 2);
    }
}
