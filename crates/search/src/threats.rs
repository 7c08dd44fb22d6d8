//! Threats to what cannot be lost: a piece that is never captured, as a king. Who would lose one by passing is
//! *threatened*, which chess players call check: such a position is not quiet, whatever its estimate says.

use game::{Game, MoveList, Signature};
use table::Table;

use crate::searcher::Searcher;
use crate::watch::Interrupt;

const SLOTS: usize = 1 << 14;

/// Answers that were given before: the signature, its lowest bit replaced by the answer. A slot holds the last one.
pub(crate) struct Threats {
    answers: Box<[u64]>,
    pub(crate) moves: MoveList,
}

impl Threats {
    pub(crate) fn new() -> Threats {
        Threats { answers: vec![0; SLOTS].into(), moves: MoveList::new() }
    }
}

fn slot(signature: Signature) -> usize {
    (signature.0 >> 20) as usize % SLOTS
}

impl<G: Game, T: Table> Searcher<'_, G, T> {
    /// Whether the mover would lose a piece that is never captured by passing; false in games without such pieces.
    pub(crate) fn is_threatened(&mut self, position: &G::Position) -> Result<bool, Interrupt> {
        if !self.knowledge.has_royals() {
            return Ok(false);
        }
        let signature = self.game.signature(position);
        let known = self.threats.answers[slot(signature)];
        if known | 1 == signature.0 | 1 {
            return Ok(known & 1 != 0);
        }
        let mut passed = position.clone();
        if !self.game.pass(&mut passed) {
            return Ok(false);
        }
        let mut threatened = false;
        for &royal in &self.royals[self.game.mover(position).index()] {
            if let Some(field) = self.game.locate(position, royal) {
                self.statistics.looks += 1;
                threatened |= self.game.can_take(&passed, field, &mut self.threats.moves)?;
            }
        }
        self.threats.answers[slot(signature)] = signature.0 & !1 | u64::from(threatened);
        Ok(threatened)
    }
}
