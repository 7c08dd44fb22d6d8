//! Positions in their plain form: one number per slot. Generators may keep positions in a form of their own
//! (see [`crate::Game::Position`]); this is the form in which positions are written, read, compared and sent.

use std::hash::{Hash, Hasher};

use crate::geometry::Field;
use crate::info::{GameInfo, PieceCode, PropertyKind, Slot};
use crate::moves::MoveView;
use crate::outcome::{Colour, Outcome};
use crate::signature::Signature;

/// Board, stored properties and the player to move, with the signature kept up to date.
///
/// The number of the move and a result are what a text says of the game around the position. They are no part of it:
/// equality ignores them, moves leave them alone, and [`crate::Record::plain`] has them right.
#[derive(Clone, Debug)]
pub struct Position {
    mover: Colour,
    signature: Signature,
    fields: usize,
    slots: Vec<i32>,
    number: u32,
    outcome: Option<Outcome>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.mover == other.mover && self.signature == other.signature && self.slots == other.slots
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.signature.hash(state);
        self.slots.hash(state);
    }
}

impl Position {
    /// An empty board with every property at its least value and white to move.
    #[must_use]
    pub fn empty(info: &GameInfo) -> Position {
        let fields = info.geometry.fields();
        let mut slots = vec![0; info.stored_slots()];
        for (slot, &used) in slots.iter_mut().zip(info.geometry.used()) {
            if !used {
                *slot = i32::from(PieceCode::UNUSED.0);
            }
        }
        for property in info.properties.iter().filter(|property| property.kind != PropertyKind::Move) {
            slots[property.slot..property.slot + info.slots_of(property)].fill(property.low as i32);
        }
        let (mover, signature) = (Colour::White, Signature::default());
        Position { mover, signature, fields, slots, number: 1, outcome: None }
    }

    /// The player to move.
    #[must_use]
    pub fn mover(&self) -> Colour {
        self.mover
    }

    /// The signature, kept up to date by every change.
    #[must_use]
    pub fn signature(&self) -> Signature {
        self.signature
    }

    /// The signature computed from nothing; always equal to [`Position::signature`].
    #[must_use]
    pub fn recomputed_signature(&self, info: &GameInfo) -> Signature {
        let turn = if self.mover == Colour::Black { Signature::BLACK_TO_MOVE } else { Signature::default() };
        let pieces = self.slots[..self.fields]
            .iter()
            .enumerate()
            .fold(turn, |sum, (field, &code)| sum ^ crate::info::field_key(field, PieceCode(code as u8)));
        info.properties.iter().filter(|property| property.kind != PropertyKind::Move).fold(
            pieces,
            |sum, property| {
                (property.slot..property.slot + info.slots_of(property))
                    .fold(sum, |sum, slot| sum ^ crate::info::property_key(property, slot, self.slots[slot]))
            },
        )
    }

    /// Says who is to move.
    pub fn set_mover(&mut self, mover: Colour) {
        if mover != self.mover {
            self.signature ^= Signature::BLACK_TO_MOVE;
            self.mover = mover;
        }
    }

    /// The number of the move that comes next, from 1; a move of both players counts once.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Says which move comes next.
    pub fn set_number(&mut self, number: u32) {
        self.number = number;
    }

    /// How the game ended with this position, for the player to move, where only its text can tell.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Says how the game ended.
    pub fn set_outcome(&mut self, outcome: Option<Outcome>) {
        self.outcome = outcome;
    }

    /// What stands on a field.
    #[must_use]
    pub fn piece(&self, field: Field) -> PieceCode {
        PieceCode(self.slots[field as usize] as u8)
    }

    /// The number in a slot: a piece code or a property's value.
    #[must_use]
    pub fn get(&self, slot: Slot) -> i32 {
        self.slots[slot]
    }

    /// Fields and properties in slot order.
    #[must_use]
    pub fn slots(&self) -> &[i32] {
        &self.slots
    }

    /// Fields alone, in slot order.
    #[must_use]
    pub fn fields(&self) -> &[i32] {
        &self.slots[..self.fields]
    }

    /// Puts a number into a slot.
    pub fn set(&mut self, info: &GameInfo, slot: Slot, value: i32) {
        self.signature ^= info.key(slot, self.slots[slot]) ^ info.key(slot, value);
        self.slots[slot] = value;
    }

    /// Puts a number into a slot when the caller keeps the signature.
    pub fn set_unsigned(&mut self, slot: Slot, value: i32) {
        self.slots[slot] = value;
    }

    /// Puts a piece on a field.
    pub fn put(&mut self, info: &GameInfo, field: Field, code: PieceCode) {
        self.set(info, field as usize, i32::from(code.0));
    }

    /// Makes a legal move. In a two-player game the turn passes.
    pub fn play(&mut self, info: &GameInfo, played: MoveView<'_>) {
        let stored = self.slots.len();
        for change in played.changes.iter().filter(|change| change.slot() < stored) {
            debug_assert_eq!(self.slots[change.slot()], change.old(), "the move does not belong here");
            self.slots[change.slot()] = change.new();
        }
        self.pass_turn(info, played);
    }

    /// Takes a move back; the position is as it was, to the last bit.
    pub fn take_back(&mut self, info: &GameInfo, played: MoveView<'_>) {
        let stored = self.slots.len();
        for change in played.changes.iter().filter(|change| change.slot() < stored) {
            debug_assert_eq!(self.slots[change.slot()], change.new(), "the move does not belong here");
            self.slots[change.slot()] = change.old();
        }
        self.pass_turn(info, played);
    }

    fn pass_turn(&mut self, info: &GameInfo, played: MoveView<'_>) {
        self.signature ^= played.head.signature_difference;
        if info.players == 2 {
            self.mover = self.mover.opponent();
        }
    }
}
