//! What every game offers and every search relies on.

use crate::geometry::Field;
use crate::info::{GameInfo, PieceCode};
use crate::moves::{MoveList, MoveView};
use crate::outcome::{Colour, Outcome};
use crate::position::Position;
use crate::signature::Signature;
use crate::symmetry::Symmetry;
use crate::text::PositionError;
use crate::watched::Watched;

/// What an evaluation adds up.
pub trait Summands: Send + Sync + std::fmt::Debug {
    /// How many parts there are.
    fn count(&self) -> usize;

    /// By field: sets of codes. As long as each field holds something that is in the same ones of its sets, the part
    /// is worth the same.
    fn asks(&self, part: usize) -> &[Vec<u128>];

    /// What a part is worth in a position.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn value(&self, part: usize, position: &Position) -> Result<i64, RuleFault>;
}

/// The rules themselves went wrong: an endless loop, a property out of range, a position without moves and
/// without an outcome. The position is the one that moves were asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message} (in rule `{rule}`{place})\n{position}")]
pub struct RuleFault {
    /// What happened and what to do about it.
    pub message: String,
    /// The rule that was being followed.
    pub rule: String,
    /// Where in the rules, as ` at file:line:column`; may be empty.
    pub place: String,
    /// The position as text.
    pub position: String,
}

const STOPPED: &str = "stopped";

impl RuleFault {
    /// Nothing is wrong with the rules: the result is not wanted any more ([`crate::stopping`]).
    #[must_use]
    pub fn stopped() -> RuleFault {
        let [rule, place, position] = [(); 3].map(|()| String::new());
        RuleFault { message: STOPPED.to_owned(), rule, place, position }
    }

    /// Whether that is all that happened.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.message == STOPPED && self.rule.is_empty()
    }
}

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Every legal move.
    All,
    /// Captures and moves that the rules mark as forcing.
    Forcing,
    /// The moves that [`Stage::Forcing`] leaves out.
    Quiet,
}

/// What [`Game::advance`] has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// Nothing: the game was over, for who was to move.
    Over(Outcome),
    /// A move was played.
    Moved {
        /// How the game ends with it, for who played it.
        outcome: Option<Outcome>,
        /// Whether no earlier position can come again.
        irreversible: bool,
    },
}

/// What [`Game::settle`] has found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settled {
    /// A lower bound of the position's worth if it is at least what was asked for, an upper bound if it is less; none
    /// if that was not found out.
    pub worth: Option<i64>,
    /// Positions whose moves were looked at.
    pub nodes: u64,
}

/// A game that can be played and searched.
///
/// A generator may keep positions in a form of its own; [`Game::pack`] and [`Game::unpack`] translate from
/// and to the plain form. All methods but `pack`, `unpack` and the defaults are on the hot path.
pub trait Game: Send + Sync {
    /// A position as this generator likes it. Copying one must be cheap.
    type Position: Clone + Send + Sync + 'static;

    /// Board, pieces, properties, start.
    fn info(&self) -> &GameInfo;

    /// Whether this generator can play from a position that [`crate::text`] has read. Rules say what is possible; a
    /// hand-written game may rely on what holds in every game, such as one king for each side. A caller that lets in a
    /// position from outside asks [`Game::admit`] first.
    ///
    /// # Errors
    /// When it cannot; the message says why.
    fn accepts(&self, position: &Position) -> Result<(), PositionError> {
        let _ = position;
        Ok(())
    }

    /// Lets in a position from outside: as it is, or with what it says wrongly put right, such as a right that the
    /// pieces do not bear out.
    ///
    /// # Errors
    /// When this generator does not [accept](Game::accepts) it.
    fn admit(&self, position: Position) -> Result<Position, PositionError> {
        self.accepts(&position)?;
        Ok(position)
    }

    /// How the game ended with the move that led to a position from outside, for the player to move, where the rules
    /// can tell; [`Game::generate`] looks ahead from a position, and endings that come with a move are behind it.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn verdict(&self, position: &Position) -> Result<Option<Outcome>, RuleFault> {
        let _ = position;
        Ok(None)
    }

    /// The position in this generator's form. Takes any position that it [accepts](Game::accepts).
    fn pack(&self, position: &Position) -> Self::Position;

    /// The position in plain form.
    fn unpack(&self, position: &Self::Position) -> Position;

    /// Replaces `into` by the values of all stored slots, in the order of [`Position::slots`]: for those who ask often.
    fn values(&self, position: &Self::Position, into: &mut Vec<i32>) {
        into.clear();
        into.extend_from_slice(self.unpack(position).slots());
    }

    /// How many bytes [`Game::write`] appends: the same for every position.
    fn position_bytes(&self) -> usize {
        crate::bytes::size(self.info())
    }

    /// Appends the position as bytes, for files and messages. Their reader has the same position: signature, moves
    /// and their order.
    fn write(&self, position: &Self::Position, into: &mut Vec<u8>) {
        crate::bytes::write(self.info(), &self.unpack(position), into);
    }

    /// The position that was written; `None` if these bytes are not those of a position of this game.
    fn read(&self, bytes: &[u8]) -> Option<Self::Position> {
        let position = crate::bytes::read(self.info(), bytes)?;
        self.accepts(&position).ok()?;
        Some(self.pack(&position))
    }

    /// The player to move.
    fn mover(&self, position: &Self::Position) -> Colour;

    /// The signature, incrementally kept.
    fn signature(&self, position: &Self::Position) -> Signature;

    /// Replaces the list by the legal moves, in the order of the rules, no two of them the same.
    ///
    /// Returns `None` when there is at least one legal move (in any stage). Returns the outcome, seen from the
    /// mover, when the position is finished; the list is then empty.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn generate(
        &self,
        position: &Self::Position,
        stage: Stage,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault>;

    /// As [`Game::generate`], with quiet moves left out that change none of these fields, as far as that saves time.
    /// An empty list says that some were left out, and hardly ever that the rules give neither a move nor an outcome.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn generate_sharp(
        &self,
        position: &Self::Position,
        fields: u128,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        let stage = if fields == 0 { Stage::Forcing } else { Stage::All };
        self.generate(position, stage, moves)
    }

    /// Makes a legal move.
    fn play(&self, position: &mut Self::Position, played: MoveView<'_>);

    /// Takes back the move that led to this position, leaving every bit as it was.
    fn take_back(&self, position: &mut Self::Position, played: MoveView<'_>);

    /// Passes the turn as if the mover had made a move that changes nothing, for searches that ask what a player
    /// who does nothing is in for. False, and nothing is done, where the generator cannot.
    fn pass(&self, position: &mut Self::Position) -> bool {
        let _ = position;
        false
    }

    /// The estimated worth of a position for the mover, by the rules' own evaluation; 0 without one. In a
    /// one-player game: a lower bound of the moves still needed.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn evaluate(&self, position: &Self::Position) -> Result<i32, RuleFault>;

    /// What the plain evaluation says of a position that a network judges alone, in units of its own; `None` if none
    /// does. What pieces are worth is told from it: networks hardly notice another one where a game is lost anyway.
    ///
    /// # Errors
    /// When the rules go wrong.
    fn evaluate_plainly(&self, position: &Self::Position) -> Result<Option<i32>, RuleFault> {
        let _ = position;
        Ok(None)
    }

    /// The result that the mover can expect, from -1 for a loss to 1 for a win, as a policy says that has learned the
    /// game; `None` without one. For Monte Carlo search.
    fn expect(&self, position: &Self::Position) -> Option<f32> {
        let _ = position;
        None
    }

    /// How likely each of a position's moves is the best, as the same one says: shares that add up to 1 take the
    /// place of what was in the list. False, and nothing is done, if there is no policy for the game.
    fn advise(&self, position: &Self::Position, moves: &MoveList, shares: &mut Vec<f32>) -> bool {
        let _ = (position, moves, shares);
        false
    }

    /// What solves a puzzle, field by field: a position is solved exactly if every field holds one of its codes here.
    /// `None` if that is not known, or cannot be said in this way. Not for the hot path.
    fn goal(&self) -> Option<Vec<u128>> {
        None
    }

    /// Whether a puzzle is solved in a position; `None` if only the move that leads there would tell.
    fn is_solved(&self, position: &Self::Position) -> Option<bool> {
        let (goal, position) = (self.goal()?, self.unpack(position));
        Some(position.fields().iter().zip(&goal).all(|(&code, set)| set >> code & 1 != 0))
    }

    /// A lower bound of the moves that a puzzle is from its solution, by the rules' own evaluation; 0 without one.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn lower_bound(&self, position: &Self::Position) -> Result<u32, RuleFault> {
        Ok(self.evaluate(position)?.max(0) as u32)
    }

    /// The codes of pieces that no move tells apart: whichever of them stand on the board, the moves from there take
    /// the same fields to the same fields, in the same order. Whether a position is solved may depend on them. Not
    /// for the hot path.
    fn interchangeable(&self) -> u128 {
        0
    }

    /// What the evaluation of a puzzle adds up, part by part; `None` if that is not known. Not for the hot path.
    fn summands(&self) -> Option<Box<dyn Summands>> {
        None
    }

    /// How many legal moves there are; 0 when the position is finished.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn count(&self, position: &Self::Position, scratch: &mut MoveList) -> Result<usize, RuleFault> {
        self.generate(position, Stage::All, scratch)?;
        Ok(scratch.len())
    }

    /// Counts the lines of play of this length, every move of the last ply made unless `tally.bulk`. A finished
    /// game has no continuation; a one-player game goes on behind a solved position. Repetition is not
    /// considered.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn perft(
        &self,
        position: &Self::Position,
        depth: u32,
        tally: &mut crate::perft::Tally<'_>,
    ) -> Result<(), RuleFault> {
        crate::perft::count(self, position, depth, tally)
    }

    /// Plays one legal move without looking at the others: `choose` is told how many there are and says which one, in
    /// the order of [`Game::generate`]. For games at random.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn advance(
        &self,
        position: &mut Self::Position,
        scratch: &mut MoveList,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Advance, RuleFault> {
        advance_by_list(self, position, scratch, choose)
    }

    /// How many nodes the trees of [`Game::settle`] may have so that it is the best way to search them; 0 if it is
    /// none.
    fn settles(&self) -> u64 {
        0
    }

    /// Follows all lines to the end of the game, without lists and tables: is the position worth at least so much to
    /// the mover ([`Outcome::worth`])? The move that led there must be irreversible, or nothing may have come before.
    /// Gives up where a line could repeat a position, where the rules go wrong, and after so many nodes.
    fn settle(&self, position: &Self::Position, at_least: i64, nodes_max: u64) -> Settled {
        let _ = (position, at_least, nodes_max);
        Settled::default()
    }

    /// Whether a move from elsewhere (a table, a killer slot) is legal here.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn is_legal(
        &self,
        position: &Self::Position,
        candidate: MoveView<'_>,
        scratch: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.generate(position, Stage::All, scratch)?;
        Ok(scratch.iter().any(|legal| legal.same_as(candidate)))
    }

    /// Replaces the list by the legal move that makes this difference to the signature and changes these fields,
    /// found without looking at the others; false if there is none, or if this generator has no quick answer.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn find_move(
        &self,
        position: &Self::Position,
        difference: Signature,
        fields: &[Field],
        moves: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        let _ = (position, difference, fields);
        moves.clear();
        Ok(false)
    }

    /// Whether there is no legal move, or the game is over for another reason.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn is_over(&self, position: &Self::Position, scratch: &mut MoveList) -> Result<bool, RuleFault> {
        Ok(self.generate(position, Stage::All, scratch)?.is_some())
    }

    /// Whether the mover has a legal move that takes what stands on a field, where one of the opponent's pieces is.
    /// Searches ask this often: whether a king is attacked, or a piece guarded. The list is left with such moves, one
    /// at least if there are any.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn can_take(
        &self,
        position: &Self::Position,
        field: Field,
        scratch: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.generate(position, Stage::All, scratch)?;
        scratch.retain(|played| played.changes_field(field));
        Ok(!scratch.is_empty())
    }

    /// Leaves a list with moves that take what stands on a field, where one of the opponent's pieces is: one at least
    /// if there are any. Whether these are certainly all of them.
    ///
    /// # Errors
    /// When the rules themselves go wrong.
    fn find_takers(
        &self,
        position: &Self::Position,
        field: Field,
        takers: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.can_take(position, field, takers)?;
        Ok(false)
    }

    /// Whether the mover would lose a piece that is never captured by passing, as a king in check; `None` if this
    /// generator has no quick answer, so that one has to pass and look.
    fn is_threatened(&self, position: &Self::Position) -> Option<bool> {
        let _ = position;
        None
    }

    /// Finds out what [`Game::is_threatened`] will depend on when the mover has made a move: most moves change none of
    /// it, and need not be asked about one by one. False if this generator cannot tell.
    fn watch_threats(&self, position: &Self::Position, watched: &mut Watched) -> bool {
        let _ = (position, watched);
        false
    }

    /// Ways to turn or mirror the board after which the rules say the same, as far as they are known; never the one
    /// that moves nothing. Not for the hot path.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// The first field where such a piece stands.
    fn locate(&self, position: &Self::Position, code: PieceCode) -> Option<Field> {
        let position = self.unpack(position);
        position.fields().iter().position(|&other| other == i32::from(code.0)).map(|field| field as Field)
    }
}

/// Makes a list and plays a move of it: what [`Game::advance`] does unless a game knows better.
///
/// # Errors
/// When the rules go wrong.
pub fn advance_by_list<G: Game + ?Sized>(
    game: &G,
    position: &mut G::Position,
    scratch: &mut MoveList,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<Advance, RuleFault> {
    if let Some(outcome) = game.generate(position, Stage::All, scratch)? {
        return Ok(Advance::Over(outcome));
    }
    let played = scratch.get(choose(scratch.len()));
    game.play(position, played);
    Ok(Advance::Moved { outcome: played.head.outcome(), irreversible: played.head.irreversible() })
}
