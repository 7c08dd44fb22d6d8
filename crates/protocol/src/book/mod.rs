//! An opening book: which moves were played in a position, and how good they turned out. Positions are known by their
//! signatures, moves by what they do to the signature, so a book serves every generator of a game.
//!
//! A book belongs to rules, known by a [`fingerprint()`] of how they behave; [`mod@file`] is how it is kept.

pub mod file;
pub mod fingerprint;

use std::collections::BTreeMap;

use game::record::{Record, Standing};
use game::{Colour, Game, Move, MoveList, Signature};

use crate::chance::mix;

pub use file::BookError;
pub use fingerprint::fingerprint;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// What the move does to the signature.
    pub difference: Signature,
    /// How often it is chosen, compared with the others: two for every win, one for every draw.
    pub weight: u32,
}

/// Positions with their moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The name of the game.
    pub game: String,
    /// How its rules behave.
    pub rules: u64,
    positions: BTreeMap<u64, Vec<BookMove>>,
}

impl Book {
    /// A book without a move.
    #[must_use]
    pub fn empty(game: String, rules: u64) -> Book {
        Book { game, rules, positions: BTreeMap::new() }
    }

    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// How many moves there are in all positions.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.positions.values().map(Vec::len).sum()
    }

    /// Adds the first plies of a game that ended like this; who won is `None` for a draw.
    pub fn add<G: Game>(&mut self, record: &Record<'_, G>, plies: usize, end: GameEnd) {
        let game = record.game();
        let mut position = game.pack(record.start());
        for played in record.moves().iter().take(plies) {
            let view = played.view();
            let weight = end.weight(game.mover(&position));
            let moves = self.positions.entry(game.signature(&position).0).or_default();
            let difference = view.head.signature_difference;
            match moves.iter_mut().find(|known| known.difference == difference) {
                Some(known) => known.weight = known.weight.saturating_add(weight),
                None => moves.push(BookMove { difference, weight }),
            }
            game.play(&mut position, view);
        }
    }

    /// Forgets what only ever lost, and puts the best first.
    pub fn tidy(&mut self) {
        self.positions.retain(|_, moves| {
            moves.retain(|known| known.weight > 0);
            moves.sort_by_key(|known| (std::cmp::Reverse(known.weight), known.difference.0));
            !moves.is_empty()
        });
    }

    /// The legal moves that the book knows in a position, as indices with their weights, best first.
    #[must_use]
    pub fn known(&self, signature: Signature, legal: &MoveList) -> Vec<(usize, u32)> {
        let Some(moves) = self.positions.get(&signature.0) else { return Vec::new() };
        let index = |known: &BookMove| {
            let found = legal.iter().position(|one| one.head.signature_difference == known.difference);
            found.map(|index| (index, known.weight))
        };
        moves.iter().filter_map(index).collect()
    }

    /// A move by chance, the better ones more often. The same seed chooses the same move in the same position.
    #[must_use]
    pub fn choose<G: Game>(&self, record: &Record<'_, G>, seed: u64) -> Option<Move> {
        let signature = record.game().signature(record.position());
        let known = self.known(signature, record.legal());
        let total: u64 = known.iter().map(|(_, weight)| u64::from(*weight)).sum();
        let mut ticket = mix(mix(seed) ^ signature.0).checked_rem(total)?;
        for (index, weight) in known {
            match ticket.checked_sub(u64::from(weight)) {
                Some(rest) => ticket = rest,
                None => return Some(record.legal().get(index).to_move()),
            }
        }
        None
    }
}

/// How a game of a book ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// One side won.
    Won(Colour),
    /// Neither side won, or it is not known.
    Even,
}

impl GameEnd {
    /// What the rules say, or the tag of a file where they say nothing.
    #[must_use]
    pub fn of(standing: Standing, result: &str) -> GameEnd {
        let winner = match standing {
            Standing::Finished(outcome, viewer) => outcome.winner(viewer),
            Standing::Open => match result {
                "1-0" => Some(Colour::White),
                "0-1" => Some(Colour::Black),
                _ => None,
            },
        };
        winner.map_or(GameEnd::Even, GameEnd::Won)
    }

    fn weight(self, mover: Colour) -> u32 {
        match self {
            GameEnd::Won(winner) if winner == mover => 2,
            GameEnd::Won(_) => 0,
            GameEnd::Even => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::interpreted;
    use crate::pgn;

    const GAMES: &str = "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n\n";

    fn book<G: Game>(game: &G) -> Book {
        let mut book = Book::empty("chess".to_owned(), fingerprint(game).unwrap());
        for pgn in pgn::read(GAMES) {
            let record = pgn.replay(game).unwrap();
            book.add(&record, 2, GameEnd::of(record.standing(), &pgn.result));
        }
        book.tidy();
        book
    }

    #[test]
    fn wins_weigh_twice_and_losses_nothing() {
        let game = interpreted!("chess");
        let book = book(&game);
        let record = Record::new(&game, game.info().start.clone().unwrap()).unwrap();
        let known = book.known(game.signature(record.position()), record.legal());
        assert_eq!(known.iter().map(|(_, weight)| *weight).collect::<Vec<_>>(), [3]);
        // After e4 (e5 lost, c5 drew) and after d4 (d5 won): two further positions, a move each.
        assert_eq!((book.positions(), book.moves()), (3, 3));
    }

    #[test]
    fn a_seed_chooses_the_same_move_again() {
        let game = interpreted!("chess");
        let text = "1. e4 1/2-1/2 1. d4 1/2-1/2 1. c4 1/2-1/2 1. Nf3 1/2-1/2";
        let mut book = Book::empty("chess".to_owned(), 0);
        for pgn in pgn::read(text) {
            book.add(&pgn.replay(&game).unwrap(), 10, GameEnd::Even);
        }
        let record = Record::new(&game, game.info().start.clone().unwrap()).unwrap();
        let chosen = |seed| book.choose(&record, seed).unwrap().view().head.signature_difference.0;
        let all: std::collections::BTreeSet<u64> = (0..50).map(chosen).collect();
        assert_eq!(all.len(), 4, "every move has its chance");
        assert_eq!(chosen(7), chosen(7));
        assert_eq!(Book::empty("chess".to_owned(), 0).choose(&record, 1), None);
    }
}
