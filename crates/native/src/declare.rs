//! Short ways to declare a game by hand.

use game::fen::PositionNotation;
use game::geometry::Geometry;
use game::history::{Repetition, RepetitionResult};
use game::info::{GameInfo, Looks, PieceCode, PieceInfo, PropertyInfo, PropertyKind};
use game::moves::{Change, MoveHead, MoveList};
use game::notation::GivenNames;
use game::signature::mixed as key;
use game::{Field, Signature, Stage};

/// What the turn adds to a signature, as a number.
pub(crate) const TURN: u64 = Signature::BLACK_TO_MOVE.0;

/// The keys of one piece on every field.
pub(crate) const fn piece_keys<const FIELDS: usize>(code: i32) -> [u64; FIELDS] {
    let mut keys = [0; FIELDS];
    let mut field = 0;
    while field < FIELDS {
        keys[field] = key(field as u32, code);
        field += 1;
    }
    keys
}

/// A game of two players on a full grid, without start, properties and special notation.
pub(crate) fn two_players(name: &str, geometry: Geometry, pieces: &[(&str, char, char)]) -> GameInfo {
    let pieces = pieces.iter().zip((1..).step_by(2)).map(|(&(name, white, black), code)| PieceInfo {
        name: name.to_owned(),
        characters: [white, black],
        codes: [PieceCode(code), PieceCode(code + 1)],
    });
    GameInfo {
        name: name.to_owned(),
        players: 2,
        sides: 2,
        geometry,
        pieces: pieces.collect(),
        properties: Vec::new(),
        start: None,
        setups: Vec::new(),
        repetition: Repetition::usual(),
        notation: PositionNotation::Fen(Vec::new()),
        rows_from_top: false,
        given_names: GivenNames::default(),
        looks: Looks::default(),
    }
}

/// A puzzle without start; pieces are given by name and character.
pub(crate) fn one_player(name: &str, geometry: Geometry, pieces: &[(String, char)]) -> GameInfo {
    let pieces = pieces.iter().zip(1..).map(|((name, character), code)| PieceInfo {
        name: name.clone(),
        characters: [*character; 2],
        codes: [PieceCode(code); 2],
    });
    GameInfo {
        players: 1,
        sides: 1,
        pieces: pieces.collect(),
        repetition: Repetition { result: RepetitionResult::Ignored, occurrences: 2 },
        ..two_players(name, geometry, &[])
    }
}

/// Adds a property behind those that are there; returns its first slot.
pub(crate) fn add_property(
    info: &mut GameInfo,
    name: &str,
    kind: PropertyKind,
    high: i64,
    silent_below: Option<i64>,
) -> usize {
    let slot = info.stored_slots();
    info.properties.push(PropertyInfo { name: name.to_owned(), kind, low: 0, high, silent_below, slot });
    slot
}

/// Whether a stage includes forcing (or other) moves.
pub(crate) fn includes(stage: Stage, forcing: bool) -> bool {
    match stage {
        Stage::All => true,
        Stage::Forcing => forcing,
        Stage::Quiet => !forcing,
    }
}

/// Adds a move with few changes, given in any order.
pub(crate) fn push_sorted(moves: &mut MoveList, head: MoveHead, changes: &mut [Change]) {
    changes.sort_unstable_by_key(|change| change.slot());
    moves.push(head, changes.iter().copied());
}

/// The head of a move with this signature difference that started on this field.
pub(crate) fn head(difference: u64, lead: Field) -> MoveHead {
    MoveHead::new(Signature(difference)).with_lead(lead)
}

/// The set bits of a word, lowest first.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
