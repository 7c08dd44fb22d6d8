//! A game with another evaluation in place of its own, or with its own.

use std::sync::Arc;

use game::perft::Tally;
use game::text::PositionError;
use game::{
    Colour, Field, Game, GameInfo, MoveList, MoveView, Outcome, PieceCode, Position, RuleFault, Signature,
    Stage,
};

use network::Network;
use network::policy::MovePolicy;

use crate::derived::Derived;

/// What positions are judged by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judge {
    /// The game's own evaluation.
    Own,
    /// Nothing: every position is worth 0.
    Nobody,
    /// An evaluation derived from random games.
    Derived(Derived),
    /// A network, which corrects another judge if there is one.
    Network(Arc<Network>, Option<Box<Judge>>),
}

impl Judge {
    /// The evaluation whose worth positions carry.
    #[inline]
    fn derived(&self) -> Option<&Derived> {
        match self {
            Judge::Derived(derived) => Some(derived),
            Judge::Network(_, corrected) => corrected.as_ref()?.derived(),
            Judge::Own | Judge::Nobody => None,
        }
    }
}

/// A game with a judge. With a derived evaluation, positions carry their worth, kept up to date move by move: to
/// evaluate one is to read a number. One type for all judges, so that searches are compiled once.
pub struct Estimated<'game, G: Game> {
    game: &'game G,
    judge: Judge,
    /// What tells Monte Carlo search where to look.
    adviser: Option<Arc<MovePolicy>>,
}

/// A position with what it is worth to white.
#[derive(Clone)]
pub struct Valued<P> {
    /// The position of the game itself.
    pub position: P,
    worth: i32,
}

impl<'game, G: Game> Estimated<'game, G> {
    /// The game with this evaluation.
    pub fn new(game: &'game G, derived: Derived) -> Estimated<'game, G> {
        Estimated::judged_by(game, Judge::Derived(derived))
    }

    /// The game with this judge.
    pub fn judged_by(game: &'game G, judge: Judge) -> Estimated<'game, G> {
        Estimated { game, judge, adviser: None }
    }

    /// The same with a policy that tells Monte Carlo search where to look.
    #[must_use]
    pub fn advised_by(self, adviser: Option<Arc<MovePolicy>>) -> Estimated<'game, G> {
        Estimated { adviser, ..self }
    }

    /// What a position is worth, added up from nothing.
    fn worth(&self, position: impl FnOnce() -> Position) -> i32 {
        self.judge.derived().map_or(0, |derived| derived.total(&position()))
    }

    /// What a judge says of a position, for the mover.
    fn ask(&self, judge: &Judge, position: &Valued<G::Position>) -> Result<i32, RuleFault> {
        let mover = self.game.mover(&position.position);
        match (judge, mover) {
            (Judge::Own, _) => self.game.evaluate(&position.position),
            (Judge::Network(network, corrected), _) => {
                let plain = corrected.as_ref().map_or(Ok(0), |judge| self.ask(judge, position))?;
                Ok(network.evaluate(mover, plain, |values| self.game.values(&position.position, values)))
            }
            (Judge::Nobody | Judge::Derived(_), Colour::White) => Ok(position.worth),
            (Judge::Nobody | Judge::Derived(_), Colour::Black) => Ok(position.worth.wrapping_neg()),
        }
    }

    fn difference(&self, played: MoveView<'_>) -> i32 {
        let Some(derived) = self.judge.derived() else { return 0 };
        let worth = |slot, value| derived.worth(slot, value);
        let one = |change: &game::Change| {
            worth(change.slot(), change.new()).wrapping_sub(worth(change.slot(), change.old()))
        };
        // `move` properties are not stored, and come last.
        let stored = derived.fields + derived.properties.len();
        let changes = played.changes.iter().take_while(|change| change.slot() < stored);
        changes.fold(0, |sum: i32, change| sum.wrapping_add(one(change)))
    }
}

impl<G: Game> Game for Estimated<'_, G> {
    type Position = Valued<G::Position>;

    fn info(&self) -> &GameInfo {
        self.game.info()
    }

    fn accepts(&self, position: &Position) -> Result<(), PositionError> {
        self.game.accepts(position)
    }

    fn admit(&self, position: Position) -> Result<Position, PositionError> {
        self.game.admit(position)
    }

    fn verdict(&self, position: &Position) -> Result<Option<Outcome>, RuleFault> {
        self.game.verdict(position)
    }

    fn pack(&self, position: &Position) -> Self::Position {
        Valued { position: self.game.pack(position), worth: self.worth(|| position.clone()) }
    }

    fn unpack(&self, position: &Self::Position) -> Position {
        self.game.unpack(&position.position)
    }

    fn values(&self, position: &Self::Position, into: &mut Vec<i32>) {
        self.game.values(&position.position, into);
    }

    fn position_bytes(&self) -> usize {
        self.game.position_bytes()
    }

    fn write(&self, position: &Self::Position, into: &mut Vec<u8>) {
        self.game.write(&position.position, into);
    }

    fn read(&self, bytes: &[u8]) -> Option<Self::Position> {
        let position = self.game.read(bytes)?;
        let worth = self.worth(|| self.game.unpack(&position));
        Some(Valued { position, worth })
    }

    fn mover(&self, position: &Self::Position) -> Colour {
        self.game.mover(&position.position)
    }

    fn signature(&self, position: &Self::Position) -> Signature {
        self.game.signature(&position.position)
    }

    fn generate(
        &self,
        position: &Self::Position,
        stage: Stage,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        self.game.generate(&position.position, stage, moves)
    }

    fn generate_sharp(
        &self,
        position: &Self::Position,
        fields: u128,
        moves: &mut MoveList,
    ) -> Result<Option<Outcome>, RuleFault> {
        self.game.generate_sharp(&position.position, fields, moves)
    }

    fn play(&self, position: &mut Self::Position, played: MoveView<'_>) {
        self.game.play(&mut position.position, played);
        position.worth = position.worth.wrapping_add(self.difference(played));
    }

    fn take_back(&self, position: &mut Self::Position, played: MoveView<'_>) {
        self.game.take_back(&mut position.position, played);
        position.worth = position.worth.wrapping_sub(self.difference(played));
    }

    fn pass(&self, position: &mut Self::Position) -> bool {
        self.game.pass(&mut position.position)
    }

    fn evaluate(&self, position: &Self::Position) -> Result<i32, RuleFault> {
        self.ask(&self.judge, position)
    }

    fn evaluate_plainly(&self, position: &Self::Position) -> Result<Option<i32>, RuleFault> {
        match self.judge {
            Judge::Network(_, None) => self.game.evaluate(&position.position).map(Some),
            Judge::Own | Judge::Nobody | Judge::Derived(_) | Judge::Network(_, Some(_)) => Ok(None),
        }
    }

    fn expect(&self, position: &Self::Position) -> Option<f32> {
        let mover = self.game.mover(&position.position);
        let adviser = self.adviser.as_ref()?;
        Some(adviser.expect(mover, |values| self.game.values(&position.position, values)))
    }

    fn advise(&self, position: &Self::Position, moves: &MoveList, shares: &mut Vec<f32>) -> bool {
        let Some(adviser) = &self.adviser else { return false };
        let mover = self.game.mover(&position.position);
        adviser.advise(mover, |values| self.game.values(&position.position, values), moves, shares);
        true
    }

    fn count(&self, position: &Self::Position, scratch: &mut MoveList) -> Result<usize, RuleFault> {
        self.game.count(&position.position, scratch)
    }

    fn settles(&self) -> u64 {
        self.game.settles()
    }

    fn settle(&self, position: &Self::Position, at_least: i64, nodes_max: u64) -> game::Settled {
        self.game.settle(&position.position, at_least, nodes_max)
    }

    fn goal(&self) -> Option<Vec<u128>> {
        self.game.goal()
    }

    fn is_solved(&self, position: &Self::Position) -> Option<bool> {
        self.game.is_solved(&position.position)
    }

    fn lower_bound(&self, position: &Self::Position) -> Result<u32, RuleFault> {
        match self.judge {
            Judge::Own => self.game.lower_bound(&position.position),
            Judge::Nobody | Judge::Derived(_) | Judge::Network(..) => Ok(0),
        }
    }

    fn interchangeable(&self) -> u128 {
        self.game.interchangeable()
    }

    fn summands(&self) -> Option<Box<dyn game::Summands>> {
        match self.judge {
            Judge::Own => self.game.summands(),
            Judge::Nobody | Judge::Derived(_) | Judge::Network(..) => None,
        }
    }

    fn symmetries(&self) -> Vec<game::Symmetry> {
        self.game.symmetries()
    }

    fn is_threatened(&self, position: &Self::Position) -> Option<bool> {
        self.game.is_threatened(&position.position)
    }

    fn watch_threats(&self, position: &Self::Position, watched: &mut game::Watched) -> bool {
        self.game.watch_threats(&position.position, watched)
    }

    fn perft(&self, position: &Self::Position, depth: u32, tally: &mut Tally<'_>) -> Result<(), RuleFault> {
        self.game.perft(&position.position, depth, tally)
    }

    fn is_legal(
        &self,
        position: &Self::Position,
        candidate: MoveView<'_>,
        scratch: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.game.is_legal(&position.position, candidate, scratch)
    }

    fn find_move(
        &self,
        position: &Self::Position,
        difference: Signature,
        fields: &[Field],
        moves: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.game.find_move(&position.position, difference, fields, moves)
    }

    fn is_over(&self, position: &Self::Position, scratch: &mut MoveList) -> Result<bool, RuleFault> {
        self.game.is_over(&position.position, scratch)
    }

    fn can_take(
        &self,
        position: &Self::Position,
        field: Field,
        scratch: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.game.can_take(&position.position, field, scratch)
    }

    fn find_takers(
        &self,
        position: &Self::Position,
        field: Field,
        takers: &mut MoveList,
    ) -> Result<bool, RuleFault> {
        self.game.find_takers(&position.position, field, takers)
    }

    fn locate(&self, position: &Self::Position, code: PieceCode) -> Option<Field> {
        self.game.locate(&position.position, code)
    }
}
