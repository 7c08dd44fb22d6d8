//! Ways to turn or mirror the board, with or without exchanging the colours, after which a game seems to be the same:
//! random games and their images have the same moves and end alike. It is found out by playing and not proven, so
//! this is for learning, where a mistake costs strength and nothing else.

use game::symmetry::BoardMap;
use game::{
    Colour, Field, Game, GameInfo, MoveList, MoveView, PieceCode, Position, PropertyKind, RuleFault, Stage,
};

/// Random games that must agree, plies of each, and moves of all their positions, at most.
const GAMES: u64 = 30;
const PLIES_MAX: usize = 300;
const MOVES_MAX: usize = 400_000;

/// What is alike in a game. Maps are numbers of [`BoardMap::all`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Likeness {
    /// The first map with which the rules are the same for the other player.
    pub exchange: Option<usize>,
    /// Maps with which they are the same for the same player; the one that moves nothing is the first.
    pub symmetries: Vec<usize>,
}

/// Finds out what is alike in a game.
///
/// # Errors
/// When it is asked to stop.
pub fn find<G: Game>(game: &G, start: &Position, seed: u64) -> Result<Likeness, RuleFault> {
    let maps = BoardMap::all(&game.info().geometry);
    let mut likeness = Likeness { exchange: None, symmetries: vec![0] };
    for (number, map) in maps.iter().enumerate() {
        if likeness.exchange.is_none()
            && is_alike(game, start, &Image { info: game.info(), map, swaps: true }, seed)?
        {
            likeness.exchange = Some(number);
        }
        if number > 0 && is_alike(game, start, &Image { info: game.info(), map, swaps: false }, seed)? {
            likeness.symmetries.push(number);
        }
    }
    Ok(likeness)
}

/// A board turned or mirrored, and the colours exchanged or not.
struct Image<'run> {
    info: &'run GameInfo,
    map: &'run BoardMap,
    swaps: bool,
}

impl Image<'_> {
    fn slot(&self, slot: usize) -> usize {
        let field = |slot: usize| usize::from(self.map.field(slot as Field));
        match self.info.property_of_slot(slot) {
            None => field(slot),
            Some(property) => match property.kind {
                PropertyKind::Field => property.slot + field(slot - property.slot),
                PropertyKind::Player if self.swaps => property.slot + 1 - (slot - property.slot),
                PropertyKind::Player | PropertyKind::Board | PropertyKind::Move => slot,
            },
        }
    }

    fn value(&self, slot: usize, value: i32) -> i32 {
        if !self.swaps || slot >= self.info.geometry.fields() {
            return value;
        }
        match self.info.piece(PieceCode(value as u8)) {
            Some((piece, Some(colour))) => i32::from(piece.codes[colour.opponent().index()].0),
            _ => value,
        }
    }

    fn mover(&self, mover: Colour) -> Colour {
        if self.swaps { mover.opponent() } else { mover }
    }

    fn position(&self, position: &Position) -> Position {
        let mut image = Position::empty(self.info);
        image.set_mover(self.mover(position.mover()));
        for (slot, &value) in position.slots().iter().enumerate() {
            image.set(self.info, self.slot(slot), self.value(slot, value));
        }
        image
    }

    /// What a move changes that positions keep, in the order of slots.
    fn changes(&self, played: MoveView<'_>, is_image: bool) -> Vec<(usize, i32)> {
        let stored = self.info.stored_slots();
        let kept = played.changes.iter().filter(|change| change.slot() < stored);
        let mut changes: Vec<(usize, i32)> = kept
            .map(|change| match is_image {
                true => (self.slot(change.slot()), self.value(change.slot(), change.new())),
                false => (change.slot(), change.new()),
            })
            .collect();
        changes.sort_unstable();
        changes
    }
}

fn is_alike<G: Game>(game: &G, start: &Position, image: &Image<'_>, seed: u64) -> Result<bool, RuleFault> {
    let turned = image.position(start);
    if game.accepts(&turned).is_err() {
        return Ok(false);
    }
    let (mut moves, mut others, mut seen) = (MoveList::new(), MoveList::new(), 0);
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..GAMES {
        let (mut position, mut other) = (game.pack(start), game.pack(&turned));
        for _ in 0..PLIES_MAX {
            if game::stopping::is_requested() {
                return Err(RuleFault::stopped());
            }
            let ended = game.generate(&position, Stage::All, &mut moves).ok();
            if ended != game.generate(&other, Stage::All, &mut others).ok() || moves.len() != others.len() {
                return Ok(false);
            }
            if ended != Some(None) {
                break;
            }
            seen += moves.len();
            let played = moves.get(random.usize(..moves.len()));
            let wanted = image.changes(played, true);
            let found = others.iter().find(|other| {
                other.changes.len() == played.changes.len() && image.changes(*other, false) == wanted
            });
            let Some(found) = found.filter(|found| found.head.outcome() == played.head.outcome()) else {
                return Ok(false);
            };
            if played.head.outcome().is_some() {
                break;
            }
            game.play(&mut position, played);
            game.play(&mut other, found);
        }
        if seen > MOVES_MAX {
            break;
        }
    }
    Ok(true)
}
