//! Where a search begins.

use game::{Erased, ErasedPosition, Game, History, Move, Position, Record, Recurrence};

/// A position with its past.
#[derive(Clone)]
pub struct Root<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The positions that led to it, itself included.
    pub history: History,
    /// If there are any: consider these moves alone.
    pub only: Vec<Move>,
}

impl<G: Game> Root<G> {
    /// A position without a past.
    pub fn new(game: &G, position: &Position) -> Root<G> {
        Root::from_packed(game, game.pack(position))
    }

    /// A position without a past, in the game's own form.
    pub fn from_packed(game: &G, position: G::Position) -> Root<G> {
        let history = History::new(Recurrence::of(game.info()).signature(&game.unpack(&position)));
        Root { position, history, only: Vec::new() }
    }

    /// The present position of a game that is being played.
    pub fn of_record(record: &Record<'_, G>) -> Root<G> {
        let (position, history) = (record.position().clone(), record.history().clone());
        Root { position, history, only: Vec::new() }
    }

    /// The same for those who do not know what kind of game it is.
    #[must_use]
    pub fn erased(&self) -> Root<Erased<'_>> {
        let Root { position, history, only } = self;
        Root { position: ErasedPosition::new(position.clone()), history: history.clone(), only: only.clone() }
    }
}
