//! Threats to what cannot be lost: a piece that is never captured, as a king. Who would lose one by passing is
//! *threatened*, which chess players call check: such a position is not quiet, whatever its estimate says.

use game::{Game, MoveView, Watched};
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

    /// What it depends on whether moves from the present position threaten something.
    fn watch(&mut self, position: &G::Position) -> Option<&Watched> {
        if !self.has_watches {
            return None;
        }
        let signature = Some(self.game.signature(position));
        let (found_for, watched) = &mut self.watched[self.path.ply()];
        if *found_for != signature {
            *found_for = self.game.watch_threats(position, watched).then_some(signature).flatten();
        }
        (*found_for == signature).then_some(watched)
    }

    /// The fields of which at least one is changed by each move that threatens something.
    pub(crate) fn watched_fields(&mut self, position: &G::Position) -> Option<u128> {
        self.watch(position).map(Watched::fields)
    }

    /// The same of the present position after a move, if that can be told without playing it.
    fn watched_threat(&mut self, position: &G::Position, played: MoveView<'_>) -> Option<bool> {
        let game = self.game;
        self.watch(position)?.after(game.info(), played)
    }

    /// Whether the opponent is threatened after a move that leads from the present line to this position.
    pub(crate) fn is_threatened_after(
        &mut self,
        parent: &G::Position,
        played: MoveView<'_>,
        child: &G::Position,
    ) -> Result<bool, Interrupt> {
        if self.has_watches {
            let (found_for, watched) = &self.watched[self.path.ply() - 1];
            if *found_for == Some(self.game.signature(parent))
                && let Some(threatened) = watched.after(self.game.info(), played)
            {
                return Ok(threatened);
            }
        }
        self.is_threatened(child)
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
        if let Some(threatened) = self.watched_threat(position, played) {
            return Ok(threatened);
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
