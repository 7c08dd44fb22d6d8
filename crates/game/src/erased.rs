//! Any game behind one type. What is written for any [`Game`] is compiled once for each: a search for games that are
//! not searched for speed (interpreted, hand-written, or very large) is compiled once for all of them.

use std::any::Any;

use crate::contract::{Advance, Game, RuleFault, Settled, Stage, Summands};
use crate::geometry::Field;
use crate::info::{GameInfo, PieceCode};
use crate::moves::{MoveList, MoveView};
use crate::outcome::{Colour, Outcome};
use crate::perft::Tally;
use crate::position::Position;
use crate::signature::Signature;
use crate::symmetry::Symmetry;
use crate::text::PositionError;
use crate::watched::Watched;

/// A game whose type is not known.
#[derive(Clone, Copy)]
pub struct Erased<'game> {
    game: &'game dyn AnyGame,
}

impl<'game> Erased<'game> {
    /// Hides what kind of game it is.
    #[must_use]
    pub fn new<G: Game>(game: &'game G) -> Erased<'game> {
        Erased { game }
    }
}

/// A position of such a game, in the form that the game likes.
pub struct ErasedPosition(Box<dyn AnyPosition>);

impl ErasedPosition {
    /// A position of a game whose type is hidden.
    #[must_use]
    pub fn new<P: Clone + Send + Sync + 'static>(position: P) -> ErasedPosition {
        ErasedPosition(Box::new(position))
    }
}

impl Clone for ErasedPosition {
    fn clone(&self) -> ErasedPosition {
        ErasedPosition(self.0.duplicate())
    }

    fn clone_from(&mut self, other: &ErasedPosition) {
        self.0.copy_from(&*other.0);
    }
}

trait AnyPosition: Any + Send + Sync {
    fn duplicate(&self) -> Box<dyn AnyPosition>;
    fn copy_from(&mut self, other: &dyn AnyPosition);
}

impl<P: Any + Clone + Send + Sync> AnyPosition for P {
    fn duplicate(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn AnyPosition) {
        self.clone_from(own::<P>(other));
    }
}

/// The position as its game knows it. Positions of two games are never mixed, as with any other type of position.
fn own<P: Any>(position: &dyn AnyPosition) -> &P {
    (position as &dyn Any).downcast_ref().expect("a position goes back to the game it came from")
}

fn own_mut<P: Any>(position: &mut dyn AnyPosition) -> &mut P {
    (position as &mut dyn Any).downcast_mut().expect("a position goes back to the game it came from")
}

/// [`Game`] without its type of position.
macro_rules! erase {
    (
        plain { $(fn $plain:ident(&self $(, $pa:ident: $pt:ty)*) $(-> $pr:ty)?;)* }
        at { $(fn $at:ident(&self, position $(, $aa:ident: $at_type:ty)*) $(-> $ar:ty)?;)* }
        on { $(fn $on:ident(&self, position $(, $oa:ident: $ot:ty)*) $(-> $or:ty)?;)* }
    ) => {
        trait AnyGame: Send + Sync {
            $(fn $plain(&self $(, $pa: $pt)*) $(-> $pr)?;)*
            $(fn $at(&self, position: &dyn AnyPosition $(, $aa: $at_type)*) $(-> $ar)?;)*
            $(fn $on(&self, position: &mut dyn AnyPosition $(, $oa: $ot)*) $(-> $or)?;)*
            fn pack(&self, position: &Position) -> Box<dyn AnyPosition>;
            fn read(&self, bytes: &[u8]) -> Option<Box<dyn AnyPosition>>;
        }

        impl<G: Game> AnyGame for G {
            $(fn $plain(&self $(, $pa: $pt)*) $(-> $pr)? { Game::$plain(self $(, $pa)*) })*
            $(fn $at(&self, position: &dyn AnyPosition $(, $aa: $at_type)*) $(-> $ar)? {
                Game::$at(self, own(position) $(, $aa)*)
            })*
            $(fn $on(&self, position: &mut dyn AnyPosition $(, $oa: $ot)*) $(-> $or)? {
                Game::$on(self, own_mut(position) $(, $oa)*)
            })*

            fn pack(&self, position: &Position) -> Box<dyn AnyPosition> {
                Box::new(Game::pack(self, position))
            }

            fn read(&self, bytes: &[u8]) -> Option<Box<dyn AnyPosition>> {
                Game::read(self, bytes).map(|position| Box::new(position) as Box<dyn AnyPosition>)
            }
        }

        impl Game for Erased<'_> {
            type Position = ErasedPosition;

            $(fn $plain(&self $(, $pa: $pt)*) $(-> $pr)? { self.game.$plain($($pa),*) })*
            $(fn $at(&self, position: &ErasedPosition $(, $aa: $at_type)*) $(-> $ar)? {
                self.game.$at(&*position.0 $(, $aa)*)
            })*
            $(fn $on(&self, position: &mut ErasedPosition $(, $oa: $ot)*) $(-> $or)? {
                self.game.$on(&mut *position.0 $(, $oa)*)
            })*

            fn pack(&self, position: &Position) -> ErasedPosition {
                ErasedPosition(self.game.pack(position))
            }

            fn read(&self, bytes: &[u8]) -> Option<ErasedPosition> {
                self.game.read(bytes).map(ErasedPosition)
            }
        }
    };
}

erase! {
    plain {
        fn info(&self) -> &GameInfo;
        fn accepts(&self, position: &Position) -> Result<(), PositionError>;
        fn admit(&self, position: Position) -> Result<Position, PositionError>;
        fn verdict(&self, position: &Position) -> Result<Option<Outcome>, RuleFault>;
        fn position_bytes(&self) -> usize;
        fn goal(&self) -> Option<Vec<u128>>;
        fn interchangeable(&self) -> u128;
        fn summands(&self) -> Option<Box<dyn Summands>>;
        fn symmetries(&self) -> Vec<Symmetry>;
        fn settles(&self) -> u64;
    }
    at {
        fn unpack(&self, position) -> Position;
        fn values(&self, position, into: &mut Vec<i32>);
        fn write(&self, position, into: &mut Vec<u8>);
        fn mover(&self, position) -> Colour;
        fn signature(&self, position) -> Signature;
        fn generate(&self, position, stage: Stage, moves: &mut MoveList) -> Result<Option<Outcome>, RuleFault>;
        fn generate_sharp(
            &self, position, fields: u128, moves: &mut MoveList
        ) -> Result<Option<Outcome>, RuleFault>;
        fn evaluate(&self, position) -> Result<i32, RuleFault>;
        fn evaluate_plainly(&self, position) -> Result<Option<i32>, RuleFault>;
        fn expect(&self, position) -> Option<f32>;
        fn advise(&self, position, moves: &MoveList, shares: &mut Vec<f32>) -> bool;
        fn is_solved(&self, position) -> Option<bool>;
        fn lower_bound(&self, position) -> Result<u32, RuleFault>;
        fn count(&self, position, scratch: &mut MoveList) -> Result<usize, RuleFault>;
        fn settle(&self, position, at_least: i64, nodes_max: u64) -> Settled;
        fn perft(&self, position, depth: u32, tally: &mut Tally<'_>) -> Result<(), RuleFault>;
        fn is_legal(
            &self, position, candidate: MoveView<'_>, scratch: &mut MoveList
        ) -> Result<bool, RuleFault>;
        fn find_move(
            &self, position, difference: Signature, fields: &[Field], moves: &mut MoveList
        ) -> Result<bool, RuleFault>;
        fn is_over(&self, position, scratch: &mut MoveList) -> Result<bool, RuleFault>;
        fn can_take(&self, position, field: Field, scratch: &mut MoveList) -> Result<bool, RuleFault>;
        fn find_takers(&self, position, field: Field, takers: &mut MoveList) -> Result<bool, RuleFault>;
        fn is_threatened(&self, position) -> Option<bool>;
        fn watch_threats(&self, position, watched: &mut Watched) -> bool;
        fn locate(&self, position, code: PieceCode) -> Option<Field>;
    }
    on {
        fn play(&self, position, played: MoveView<'_>);
        fn take_back(&self, position, played: MoveView<'_>);
        fn pass(&self, position) -> bool;
        fn advance(
            &self, position, scratch: &mut MoveList, choose: &mut dyn FnMut(usize) -> usize
        ) -> Result<Advance, RuleFault>;
    }
}
