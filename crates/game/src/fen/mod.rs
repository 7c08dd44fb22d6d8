//! Positions in one line, as players of a game write them.
//!
//! Every game has at least the form of FEN: rows from the top separated by `/`, digits for runs of empty
//! fields (where no piece looks like a digit), then `w` or `b`. The rules can say which further fields there
//! are, or choose another form. What such a form does not say follows as words `name=value`, so that nothing is
//! ever lost: a position that is written and read again is the same position.

mod draughts;
mod fields;
mod listing;
mod rows;

pub use crate::castling::CastlingRights;
pub use fields::FenField;

use crate::geometry::Field;
use crate::info::{GameInfo, PropertyKind};
use crate::position::Position;
use crate::statements::{self, Remarks};
use crate::text::PositionError;

/// The form that a game's players use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionNotation {
    /// Rows, mover, and further fields: `rnbqkbnr/pppppppp/8/… w KQkq - 0 1`.
    Fen(Vec<FenField>),
    /// Draughts on numbered fields: `W:W21,22,K31:B1,2`. The numbers are indices into the pieces.
    Draughts {
        /// The piece that is written as a number alone.
        plain: usize,
        /// The piece that gets a `K`.
        crowned: usize,
        /// What may follow: a number as `:H3`, the counter of moves as `:F12`.
        fields: Vec<FenField>,
    },
    /// All fields in reading order with this character for empty, then the mover's piece: `--OX… X`.
    Line(char),
    /// Numbers in reading order, 0 for empty, otherwise the number of the piece: `0 1 2 3 …`.
    Tiles,
}

impl PositionNotation {
    /// The further fields of FEN or of draughts.
    #[must_use]
    pub fn fields(&self) -> &[FenField] {
        match self {
            PositionNotation::Fen(fields) | PositionNotation::Draughts { fields, .. } => fields,
            PositionNotation::Line(_) | PositionNotation::Tiles => &[],
        }
    }

    /// Where castling rights are kept that name a rook, if there are such.
    #[must_use]
    pub fn castling_rights(&self) -> Option<CastlingRights> {
        self.fields().iter().find_map(|field| match field {
            FenField::Rooks(rights) => Some(*rights),
            _ => None,
        })
    }

    /// Whether the players of the game number its moves.
    #[must_use]
    pub fn counts_moves(&self) -> bool {
        self.fields().contains(&FenField::Counter)
    }
}

/// Reads the game's own notation.
///
/// # Errors
/// When the text is not in that notation.
pub fn read(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    let text = text.trim();
    let mut end = text.len();
    let mut remarks = Vec::new();
    while let Some((rest, word)) = text[..end].rsplit_once(char::is_whitespace) {
        if !is_remark(info, word) {
            break;
        }
        remarks.push(word);
        end = rest.trim_end().len();
    }
    let mut position = read_plain(info, &text[..end])?;
    let mut said = Remarks::default();
    for word in remarks.iter().rev() {
        said.read(info, word, &mut position)?;
    }
    said.apply(info, &mut position)?;
    Ok(position)
}

/// Whether a word is one of those that may follow every notation: `name=value` for a property, or `result=1-0`.
#[must_use]
pub fn is_remark(info: &GameInfo, word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| name == statements::RESULT || info.property(name).is_some())
}

/// What stands before words `name=value`.
fn read_plain(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    match &info.notation {
        PositionNotation::Fen(fields) => rows::read(info, fields, text),
        PositionNotation::Draughts { plain, crowned, fields } => {
            draughts::read(info, *plain, *crowned, fields, text)
        }
        // Games with such a notation still understand the form that every game has.
        PositionNotation::Line(empty) => listing::read_line(info, *empty, text)
            .or_else(|first| rows::read(info, &[], text).map_err(|_| first)),
        PositionNotation::Tiles => {
            listing::read_tiles(info, text).or_else(|first| rows::read(info, &[], text).map_err(|_| first))
        }
    }
}

/// Writes the game's own notation, and all that it has no place for.
#[must_use]
pub fn write(info: &GameInfo, position: &Position) -> String {
    let mut text = write_plain(info, position);
    // What the notation says is what can be read from it.
    let mut said = read_plain(info, &text)
        .ok()
        .filter(|said| said.fields() == position.fields() && said.mover() == position.mover());
    if said.is_none() {
        text = rows::write(info, &[], position);
        said = rows::read(info, &[], &text).ok();
    }
    let said = said.unwrap_or_else(|| Position::empty(info));
    for property in info.properties.iter().filter(|property| property.kind != PropertyKind::Move) {
        let slots = property.slot..property.slot + info.slots_of(property);
        if said.slots()[slots.clone()] != position.slots()[slots] {
            text.push(' ');
            text.push_str(&statements::word(info, property, position));
        }
    }
    if let Some(outcome) = position.outcome() {
        text.push_str(&format!(" {}={}", statements::RESULT, statements::result(info, position, outcome)));
    }
    text
}

fn write_plain(info: &GameInfo, position: &Position) -> String {
    match &info.notation {
        PositionNotation::Fen(fields) => rows::write(info, fields, position),
        PositionNotation::Draughts { plain, crowned, fields } => {
            draughts::write(info, *plain, *crowned, fields, position)
        }
        PositionNotation::Line(empty) => listing::write_line(info, *empty, position),
        PositionNotation::Tiles => listing::write_tiles(info, position),
    }
}

/// The used fields in reading order: draughts players number them so, from 1.
fn numbered_fields(info: &GameInfo) -> Vec<Field> {
    info.geometry.reading_order().filter(|&field| info.geometry.is_used(field)).collect()
}
