//! A game as it is played: positions, moves, and the ending, repetition included.

use crate::contract::{Game, RuleFault, Stage};
use crate::history::{History, RepetitionResult};
use crate::moves::{Move, MoveList, MoveView};
use crate::outcome::{Colour, Outcome};
use crate::position::Position;
use crate::recurrence::Recurrence;
use crate::signature::Signature;

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// A player is to move.
    Open,
    /// It is over; the outcome is seen from this player.
    Finished(Outcome, Colour),
}

/// A line of play from a start position.
pub struct Record<'game, G: Game> {
    game: &'game G,
    start: Position,
    position: G::Position,
    recurrence: Recurrence,
    /// That of the present position, by which it may come again.
    recurring: Signature,
    history: History,
    moves: Vec<Move>,
    legal: MoveList,
    standing: Standing,
    /// How the game had ended before it began here, for the player to move.
    verdict: Option<Outcome>,
}

impl<'game, G: Game> Record<'game, G> {
    /// A game that begins here.
    ///
    /// # Errors
    /// When the rules go wrong in this position.
    pub fn new(game: &'game G, start: Position) -> Result<Record<'game, G>, RuleFault> {
        let position = game.pack(&start);
        let verdict = match start.outcome() {
            Some(outcome) => Some(outcome),
            None => game.verdict(&start)?,
        };
        let recurrence = Recurrence::of(game.info());
        let recurring = recurrence.signature(&start);
        let history = History::new(recurring);
        let (moves, legal, standing) = (Vec::new(), MoveList::new(), Standing::Open);
        let mut record =
            Record { game, start, position, recurrence, recurring, history, moves, legal, standing, verdict };
        record.look_around()?;
        Ok(record)
    }

    /// The game that is played.
    pub fn game(&self) -> &'game G {
        self.game
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The present position.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// The present position in plain form, with the number of the move; and with the result, if the game is over and
    /// the position alone could not tell. A game that ended by repetition could go on from a position
    /// without its past, and has no result here.
    pub fn plain(&self) -> Position {
        let mut plain = self.game.unpack(&self.position);
        let (plies, players) = (self.moves.len() as u32, u32::from(self.game.info().players.max(1)));
        let halves = plies + u32::from(self.start.mover() == Colour::Black);
        plain.set_number(self.start.number().saturating_add(halves / players));
        let ended = self.ended();
        plain.set_outcome(ended.filter(|_| !self.shows(&plain, ended)));
        plain
    }

    /// How the game ended by its last move, or before it began here, for the player to move.
    pub fn ended(&self) -> Option<Outcome> {
        match self.moves.last() {
            Some(last) if self.game.info().players == 2 => last.view().head.outcome().map(Outcome::reversed),
            Some(last) => last.view().head.outcome(),
            None => self.verdict,
        }
    }

    /// Whether a position tells by itself that the game ended so.
    fn shows(&self, plain: &Position, ended: Option<Outcome>) -> bool {
        let verdict = self.game.verdict(plain).unwrap_or_default();
        let found = || self.game.generate(&self.position, Stage::All, &mut MoveList::new());
        verdict == ended || verdict.is_none() && found().is_ok_and(|found| found == ended)
    }

    /// The positions so far, by the signatures of [`Recurrence`].
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The legal moves, those that a forbidden repetition rules out already removed.
    pub fn legal(&self) -> &MoveList {
        &self.legal
    }

    /// Open, or how it ended.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// Makes a move of [`Record::legal`].
    ///
    /// # Errors
    /// When the rules go wrong in the new position; the move is then taken back.
    pub fn play(&mut self, played: &Move) -> Result<(), RuleFault> {
        self.game.play(&mut self.position, played.view());
        self.recurring ^= self.recurrence.difference(played.view());
        self.history.push(self.recurring, played.view().head.irreversible());
        self.moves.push(played.clone());
        let result = self.look_around();
        if result.is_err() {
            self.take_back()?;
        }
        result
    }

    /// Takes the last move back; false at the start.
    ///
    /// # Errors
    /// When the rules go wrong in the earlier position.
    pub fn take_back(&mut self) -> Result<bool, RuleFault> {
        let Some(last) = self.moves.pop() else { return Ok(false) };
        self.history.pop();
        self.recurring ^= self.recurrence.difference(last.view());
        self.game.take_back(&mut self.position, last.view());
        self.look_around()?;
        Ok(true)
    }

    fn look_around(&mut self) -> Result<(), RuleFault> {
        self.legal.clear();
        self.standing = self.find_standing()?;
        Ok(())
    }

    fn find_standing(&mut self) -> Result<Standing, RuleFault> {
        let mover = self.game.mover(&self.position);
        let info = self.game.info();
        let last_mover = if info.players == 2 { mover.opponent() } else { mover };
        if let Some(outcome) = self.moves.last().and_then(|last| last.view().head.outcome()) {
            return Ok(Standing::Finished(outcome, last_mover));
        }
        if let Some(outcome) = self.ended() {
            return Ok(Standing::Finished(outcome, mover));
        }
        let rule = info.repetition;
        if info.players == 2 && self.history.occurrences() >= rule.occurrences {
            let outcome = match rule.result {
                RepetitionResult::Draw => Some(Outcome::Draw),
                RepetitionResult::Loss => Some(Outcome::Loss),
                RepetitionResult::Win => Some(Outcome::Win),
                RepetitionResult::Ignored | RepetitionResult::Forbidden => None,
            };
            if let Some(outcome) = outcome {
                return Ok(Standing::Finished(outcome, last_mover));
            }
        }
        if let Some(outcome) = self.game.generate(&self.position, Stage::All, &mut self.legal)? {
            return Ok(Standing::Finished(outcome, mover));
        }
        if rule.result == RepetitionResult::Forbidden {
            let (history, recurrence, present) = (&mut self.history, &self.recurrence, self.recurring);
            self.legal.retain(|candidate: MoveView<'_>| {
                history.push(present ^ recurrence.difference(candidate), candidate.head.irreversible());
                let allowed = history.occurrences() < rule.occurrences;
                history.pop();
                allowed
            });
            if self.legal.is_empty() {
                return Ok(Standing::Finished(Outcome::Loss, mover));
            }
        }
        Ok(Standing::Open)
    }
}
