//! What a game is made of: board, pieces, properties, start, and how its positions are written.

use crate::fen::PositionNotation;
use crate::geometry::{Field, Geometry, column_name, parse_coordinates};
use crate::history::Repetition;
use crate::notation::GivenNames;
use crate::outcome::Colour;
use crate::position::Position;
use crate::signature::{Signature, key};

/// What stands on a field: nothing, one piece of one colour, or the mark of an unused field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct PieceCode(pub u8);

impl PieceCode {
    /// An empty field.
    pub const EMPTY: PieceCode = PieceCode(0);
    /// A field that is not part of the game.
    pub const UNUSED: PieceCode = PieceCode(127);
    /// The number of codes; a set of codes fits in a `u128`.
    pub const COUNT_MAX: usize = 128;

    /// The set that holds this code alone.
    #[must_use]
    pub fn bit(self) -> u128 {
        1 << self.0
    }
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceInfo {
    /// As the rules call it.
    pub name: String,
    /// How white's and black's look in text; the same for a neutral piece.
    pub characters: [char; 2],
    /// The codes of white's and black's; the same for a neutral piece and in a one-player game.
    pub codes: [PieceCode; 2],
}

impl PieceInfo {
    /// Whether the piece belongs to neither player (or there is only one).
    #[must_use]
    pub fn is_neutral(&self) -> bool {
        self.codes[0] == self.codes[1]
    }
}

/// What a property belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// One value for the position.
    Board,
    /// One value for each player.
    Player,
    /// One value for each field.
    Field,
    /// One value while a move is made; it tells moves apart and is then forgotten.
    Move,
}

/// A named integer of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyInfo {
    /// As the rules call it.
    pub name: String,
    /// What it belongs to.
    pub kind: PropertyKind,
    /// Least value, which is also the initial one.
    pub low: i64,
    /// Greatest value.
    pub high: i64,
    /// Values below this one do not enter the signature; `None`: all do.
    pub silent_below: Option<i64>,
    /// The first of its slots.
    pub slot: usize,
}

/// A place of a position that holds a number: first the fields, then the stored properties (white's before
/// black's, field by field), then the `move` properties, which only moves have.
pub type Slot = usize;

/// All that is fixed about a game but its rules.
#[derive(Clone, PartialEq, Debug)]
pub struct GameInfo {
    /// The name of the game.
    pub name: String,
    /// 0, 1 or 2.
    pub players: u8,
    /// 2 when black sees the board rotated by 180 degrees.
    pub sides: u8,
    /// The board.
    pub geometry: Geometry,
    /// The kinds of pieces.
    pub pieces: Vec<PieceInfo>,
    /// The properties, `move` properties last in slot order.
    pub properties: Vec<PropertyInfo>,
    /// Where a game starts, if the rules say so.
    pub start: Option<Position>,
    /// Other positions to start from, by name.
    pub setups: Vec<(String, Position)>,
    /// What happens when a position occurs again.
    pub repetition: Repetition,
    /// The notation that players of this game use for positions.
    pub notation: PositionNotation,
    /// Whether row 1 is the top row in the names of fields (as in Othello).
    pub rows_from_top: bool,
    /// What the rules call moves.
    pub given_names: GivenNames,
    /// What the designer says of its looks.
    pub looks: Looks,
}

/// What a game looks like, as far as its designer says so.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Looks {
    /// Whether neighbouring fields differ in colour.
    pub chequered: Option<bool>,
    /// Pieces that have a colour or a character of their own.
    pub pieces: Vec<PieceLooks>,
}

/// What a piece looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceLooks {
    /// Which piece, of which player.
    pub code: PieceCode,
    /// What is written on it.
    pub character: Option<char>,
    /// The name of its colour.
    pub colour: Option<String>,
}

impl GameInfo {
    /// Slots that a position has: fields and stored properties.
    #[must_use]
    pub fn stored_slots(&self) -> usize {
        let properties: usize = self.properties.iter().map(|property| self.slots_of(property)).sum();
        self.geometry.fields() + properties
    }

    /// How many slots of a position a property takes; none for `move` properties.
    #[must_use]
    pub fn slots_of(&self, property: &PropertyInfo) -> usize {
        match property.kind {
            PropertyKind::Board => 1,
            PropertyKind::Player => 2,
            PropertyKind::Field => self.geometry.fields(),
            PropertyKind::Move => 0,
        }
    }

    /// The property with this name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&PropertyInfo> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The property that a slot belongs to; `None` for a field's slot.
    #[must_use]
    pub fn property_of_slot(&self, slot: Slot) -> Option<&PropertyInfo> {
        self.properties
            .iter()
            .find(|property| (property.slot..property.slot + self.slots_of(property).max(1)).contains(&slot))
    }

    /// What a value in a slot adds to the signature: nothing for empty fields, for a property's least value,
    /// and for values that the rules keep silent.
    #[must_use]
    pub fn key(&self, slot: Slot, value: i32) -> Signature {
        if slot < self.geometry.fields() {
            return field_key(slot, PieceCode(value as u8));
        }
        match self.property_of_slot(slot) {
            Some(property) => property_key(property, slot, value),
            None => Signature(0),
        }
    }

    /// The piece with this code, and its colour unless it is neutral.
    #[must_use]
    #[inline]
    pub fn piece(&self, code: PieceCode) -> Option<(&PieceInfo, Option<Colour>)> {
        if code == PieceCode::EMPTY {
            return None;
        }
        self.pieces.iter().find_map(|piece| {
            let colour = Colour::BOTH.into_iter().find(|colour| piece.codes[colour.index()] == code)?;
            Some((piece, (!piece.is_neutral()).then_some(colour)))
        })
    }

    /// The colour of the piece with this code; a one-player game's pieces are white.
    #[must_use]
    #[inline]
    pub fn colour_of(&self, code: PieceCode) -> Option<Colour> {
        match self.piece(code) {
            Some((_, None)) if self.players < 2 => Some(Colour::White),
            Some((_, colour)) => colour,
            None => None,
        }
    }

    /// How a field's content looks in text.
    #[must_use]
    pub fn character(&self, code: PieceCode) -> char {
        match self.piece(code) {
            Some((piece, colour)) => piece.characters[colour.unwrap_or_default().index()],
            None if code == PieceCode::EMPTY => '.',
            None => ' ',
        }
    }

    /// The code that a character stands for.
    #[must_use]
    pub fn code_of_character(&self, character: char) -> Option<PieceCode> {
        match character {
            '.' => Some(PieceCode::EMPTY),
            ' ' => Some(PieceCode::UNUSED),
            _ => self.pieces.iter().find_map(|piece| {
                let index = piece.characters.iter().position(|&own| own == character)?;
                Some(piece.codes[index])
            }),
        }
    }

    /// A piece in words: `white rook`, `wall`, `empty field`.
    #[must_use]
    pub fn piece_in_words(&self, code: PieceCode) -> String {
        match self.piece(code) {
            Some((piece, Some(colour))) => format!("{colour} {}", piece.name),
            Some((piece, None)) => piece.name.clone(),
            None => "empty field".to_owned(),
        }
    }

    /// The name of a field: `e4`.
    #[must_use]
    pub fn field_name(&self, field: Field) -> String {
        let row = self.geometry.row(field);
        let row = if self.rows_from_top { self.geometry.rows() + 1 - row } else { row };
        format!("{}{row}", column_name(self.geometry.column(field)))
    }

    /// Reads the name of a field from the start of a text and returns what follows it.
    #[must_use]
    pub fn parse_field<'text>(&self, text: &'text str) -> Option<(Field, &'text str)> {
        let ((column, row), rest) = parse_coordinates(text)?;
        let row = if self.rows_from_top { self.geometry.rows() as i64 + 1 - row } else { row };
        Some((self.geometry.at(column, row)?, rest))
    }
}

/// What a piece on a field adds to the signature.
#[must_use]
pub fn field_key(field: usize, code: PieceCode) -> Signature {
    match code {
        PieceCode::EMPTY | PieceCode::UNUSED => Signature(0),
        code => Signature(key(field as u32, i32::from(code.0))),
    }
}

/// What a property's value adds to the signature.
#[must_use]
pub fn property_key(property: &PropertyInfo, slot: Slot, value: i32) -> Signature {
    let silent = property.silent_below.is_some_and(|limit| i64::from(value) < limit);
    if silent || i64::from(value) == property.low || property.kind == PropertyKind::Move {
        Signature(0)
    } else {
        Signature(key(slot as u32, value))
    }
}
