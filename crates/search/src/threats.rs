//! Threats to what cannot be lost: a piece that is never captured, as a king. Who would lose one by passing is
//! *threatened*, which chess players call check: such a position is not quiet, whatever its estimate says.

use game::{Game, MoveView};
use table::Table;

use crate::company::Company;
use crate::searcher::Searcher;
use crate::watch::Interrupt;

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// Whether the mover would lose a piece that is never captured by passing; false in games without such pieces.
    pub(crate) fn is_threatened(&mut self, position: &G::Position) -> Result<bool, Interrupt> {
        if self.royals[self.game.mover(position).index()].is_empty() {
            return Ok(false);
        }
        if let Some(threatened) = self.game.is_threatened(position) {
            return Ok(threatened);
        }
        let signature = self.game.signature(position);
        if let Some(threatened) = self.facts.threatened(signature) {
            return Ok(threatened);
        }
        let mut passed = position.clone();
        if !self.game.pass(&mut passed) {
            return Ok(false);
        }
        let mut threatened = false;
        for &royal in &self.royals[self.game.mover(position).index()] {
            if let Some(field) = self.game.locate(position, royal) {
                self.statistics.looks += 1;
                threatened |= self.game.can_take(&passed, field, &mut self.scratch)?;
            }
        }
        self.facts.put_threatened(signature, threatened);
        Ok(threatened)
    }

    /// Whether the opponent is threatened after a move.
    pub(crate) fn threatens(
        &mut self,
        position: &G::Position,
        played: MoveView<'_>,
    ) -> Result<bool, Interrupt> {
        if self.royals[self.game.mover(position).opponent().index()].is_empty() {
            return Ok(false);
        }
        let after = self.game.signature(position) ^ played.head.signature_difference;
        // Where the game has a quick answer, none is kept.
        if !self.has_quick_threats
            && let Some(threatened) = self.facts.threatened(after)
        {
            return Ok(threatened);
        }
        let mut child = position.clone();
        self.game.play(&mut child, played);
        self.is_threatened(&child)
    }
}
