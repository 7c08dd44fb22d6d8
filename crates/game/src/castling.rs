//! Castling rights that name a rook: in Chess960 kings and rooks begin anywhere on the first row.

use crate::geometry::{Field, column_name, parse_coordinates};
use crate::info::{GameInfo, PieceCode, Slot};
use crate::outcome::Colour;
use crate::position::Position;
use crate::text::{PositionError, error};

/// Where a position keeps which rooks may castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingRights {
    /// White's slot of the column of the rook to the left of the king, as its player sees it, 0 for none; black's is
    /// the next one.
    pub left: Slot,
    /// The same for the rook to the right.
    pub right: Slot,
    /// The index of the piece that castles with the king.
    pub rook: usize,
    /// The index of the king.
    pub king: usize,
}

impl CastlingRights {
    /// The code of a player's king.
    #[must_use]
    pub fn king_of(&self, info: &GameInfo, player: Colour) -> PieceCode {
        info.pieces[self.king].codes[player.index()]
    }

    /// The code of a player's rooks.
    #[must_use]
    pub fn rook_of(&self, info: &GameInfo, player: Colour) -> PieceCode {
        info.pieces[self.rook].codes[player.index()]
    }

    /// The field of the rook that may castle to a side as white sees the board: right, or left.
    #[must_use]
    pub fn rook_field(
        &self,
        info: &GameInfo,
        position: &Position,
        player: Colour,
        to_the_right: bool,
    ) -> Option<Field> {
        let turned = player == Colour::Black && info.sides == 2;
        let slot = if to_the_right != turned { self.right } else { self.left };
        let column = i64::from(position.get(slot + player.index()));
        info.geometry.at(seen(info, player, column), home_row(info, player))
    }

    /// Reads letters into the slots.
    pub(crate) fn read(
        &self,
        info: &GameInfo,
        word: &str,
        position: &mut Position,
    ) -> Result<(), PositionError> {
        for letter in word.chars().filter(|&letter| letter != '-') {
            let player = if letter.is_uppercase() { Colour::White } else { Colour::Black };
            let row = home_row(info, player);
            let columns = 1..=info.geometry.columns() as i64;
            let holds = |column: i64, code: PieceCode| {
                info.geometry.at(column, row).is_some_and(|field| position.piece(field) == code)
            };
            let king = self.king_of(info, player);
            let Some(king) = columns.clone().find(|&column| holds(column, king)) else {
                return error(format!("`{word}`: {player} has no king on its first row, and cannot castle"));
            };
            let is_rook = |column: &i64| holds(*column, self.rook_of(info, player));
            let rook = match letter.to_ascii_lowercase() {
                'k' => columns.rev().take_while(|&column| column > king).find(is_rook),
                'q' => columns.take_while(|&column| column < king).find(is_rook),
                other => parse_coordinates(&format!("{other}1"))
                    .map(|((column, _), _)| column)
                    .filter(|column| columns.contains(column) && is_rook(column)),
            };
            let Some(rook) = rook else {
                return error(format!(
                    "`{word}`: {player} has no rook on its first row that `{letter}` could mean: write the letters of \
                     the columns of rooks that may castle, or K and Q, or `-`"
                ));
            };
            let (rook, king) = (seen(info, player, rook), seen(info, player, king));
            let slot = if rook < king { self.left } else { self.right };
            position.set(info, slot + player.index(), rook as i32);
        }
        Ok(())
    }

    /// The letters of all rooks that may castle, white's first, from the right as white sees them.
    pub(crate) fn write(&self, info: &GameInfo, position: &Position) -> String {
        let mut text = String::new();
        for player in Colour::BOTH {
            for to_the_right in [true, false] {
                if let Some(field) = self.rook_field(info, position, player, to_the_right) {
                    let name = column_name(info.geometry.column(field));
                    text.push_str(&if player == Colour::White { name.to_uppercase() } else { name });
                }
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}

/// The row where a player's pieces begin, as white counts.
fn home_row(info: &GameInfo, player: Colour) -> i64 {
    match player {
        Colour::White => 1,
        Colour::Black => info.geometry.rows() as i64,
    }
}

/// A column as a player sees it, or back again; what is no column stays none.
fn seen(info: &GameInfo, player: Colour, column: i64) -> i64 {
    let turned = player == Colour::Black && info.sides == 2 && column > 0;
    if turned { info.geometry.columns() as i64 + 1 - column } else { column }
}
