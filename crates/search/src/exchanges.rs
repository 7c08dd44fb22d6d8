//! Exchanges: a piece that goes where it is taken for less than it wins was lost. Whether it can be taken there is
//! asked of the rules, so any game with captures will do.

use game::{Field, Game, Move, MoveView, Stage};
use table::Table;

use crate::company::Company;
use crate::ordering::{Choice, is_forcing, rank_of_loss};
use crate::searcher::{Frame, Searcher};
use crate::watch::Interrupt;

impl<G: Game, T: Table, C: Company<G::Position>> Searcher<'_, G, T, C> {
    /// What a move loses if the piece that makes it is taken; 0 if it cannot be, or if that is no loss: also because
    /// the cheapest piece that takes it can be taken in turn, and is worth as much.
    pub(crate) fn exchange_loss(
        &mut self,
        position: &G::Position,
        played: MoveView<'_>,
    ) -> Result<i32, Interrupt> {
        // Where the game ends, no piece is taken back.
        if played.head.outcome().is_some() {
            return Ok(0);
        }
        let (info, mover) = (self.game.info(), self.mover(position));
        let Some((field, worth)) = self.knowledge.landing(info, played, mover) else { return Ok(0) };
        let loss = worth.saturating_sub(self.knowledge.gain(info, played, mover));
        let small = self.knowledge.unit / 2;
        if loss <= small {
            return Ok(0);
        }
        // A move that loses nothing will be searched.
        self.touch_child(played);
        let mut child = position.clone();
        self.game.play(&mut child, played);
        self.statistics.looks += 1;
        let are_all = self.game.find_takers(&child, field, &mut self.scratch)?;
        if self.scratch.is_empty() {
            return Ok(0);
        }
        // Who has won nothing gives all: no taker is worth more. Neither is one that is worth little: the cheapest is
        // not dearer.
        if (loss < worth || self.heuristics.quiet_exchanges)
            && loss.saturating_sub(self.price_of_found(&child, are_all)) <= small
            && let Some((price, taker)) = self.cheapest_taker(&child, field, are_all)?
            && loss - price <= small
            && taker.view().head.outcome().is_none()
        {
            self.game.play(&mut child, taker.view());
            self.statistics.looks += 1;
            if self.game.can_take(&child, field, &mut self.scratch)? {
                return Ok(0);
            }
        }
        Ok(loss)
    }

    /// What the cheapest of the takers is worth that were just found; the first one where they are all.
    fn price_of_found(&self, position: &G::Position, are_all: bool) -> i32 {
        let (info, mover) = (self.game.info(), self.mover(position));
        let count = if are_all { 1 } else { self.scratch.len() };
        let landings =
            self.scratch.iter().take(count).map(|taker| self.knowledge.landing(info, taker, mover));
        landings.map(|landing| landing.map_or(0, |(_, worth)| worth)).min().unwrap_or(i32::MAX)
    }

    /// The move that takes what stands on a field with the piece that is worth least, and what that is. All of them may
    /// have been found before.
    fn cheapest_taker(
        &mut self,
        position: &G::Position,
        field: Field,
        are_found: bool,
    ) -> Result<Option<(i32, Move)>, Interrupt> {
        let (info, mover) = (self.game.info(), self.mover(position));
        if !are_found && self.game.generate(position, Stage::Forcing, &mut self.scratch)?.is_some() {
            return Ok(None);
        }
        let takers = self.scratch.iter().filter(|taker| taker.head.forcing() && taker.changes_field(field));
        let price =
            |taker: &MoveView<'_>| self.knowledge.landing(info, *taker, mover).map_or(0, |(_, worth)| worth);
        let cheapest = takers.min_by_key(price);
        Ok(cheapest.map(|taker| (price(&taker), taker.to_move())))
    }

    /// The best of the moves from this place on; a forcing one only if it does not lose its piece, unless nothing
    /// else is left.
    pub(crate) fn select_sound(
        &mut self,
        position: &G::Position,
        frame: &mut Frame,
        place: usize,
    ) -> Result<Choice, Interrupt> {
        loop {
            let choice = frame.order.select(place);
            if !self.heuristics.exchanges || !is_forcing(choice) {
                return Ok(choice);
            }
            let played = frame.moves.get(choice.index());
            let loss = self.exchange_loss(position, played)?;
            if loss == 0 {
                return Ok(choice);
            }
            frame.order.demote(place, rank_of_loss(loss));
        }
    }
}
