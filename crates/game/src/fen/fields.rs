//! What FEN says beside the rows and the mover.

use crate::castling::CastlingRights;
use crate::geometry::Field;
use crate::info::{GameInfo, PropertyInfo, Slot};
use crate::outcome::Colour;
use crate::position::Position;
use crate::text::{PositionError, error};

/// A field of FEN behind the mover, or something that is said along with the rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenField {
    /// Letters that stand for a slot being 1, `-` for none.
    Flags(Vec<(char, Slot)>),
    /// A square in this row, as the mover sees it, whose column the slot holds; `-` for 0.
    Square(Slot, usize),
    /// Letters for rooks that may castle: of their columns (Shredder-FEN), read also as `K` and `Q` for the outermost
    /// rook on that side of the king (X-FEN); capitals for white, `-` for none.
    Rooks(CastlingRights),
    /// A number.
    Number(Slot),
    /// The number of the move, counted by pairs of moves in a game for two.
    Counter,
    /// What each player's value, white's slot first, still lacks to its high end: `3+2`. Short positions leave it out;
    /// `+0+1` at the very end says the values themselves.
    Remaining(Slot),
    /// Always this character; whatever else is read there means nothing.
    Fixed(char),
    /// Behind the rows in brackets: the pieces in the hands of the players, as indices into the pieces with white's
    /// slot of their number.
    Hands(Vec<(usize, Slot)>),
    /// In the rows: the first piece is written as the second one with a `+` before it.
    Promoted(Vec<(usize, usize)>),
}

impl FenField {
    /// Whether it is a word of its own.
    #[must_use]
    pub fn is_word(&self) -> bool {
        !matches!(self, FenField::Hands(_) | FenField::Promoted(_))
    }

    /// Whether short positions may leave it out.
    #[must_use]
    pub fn is_counter(&self) -> bool {
        matches!(self, FenField::Number(_) | FenField::Counter | FenField::Remaining(_))
    }

    /// Whether this word can be what is written here, where others might have left it out.
    #[must_use]
    pub fn takes(&self, word: &str) -> bool {
        match self {
            FenField::Remaining(_) => two_numbers(word).is_some(),
            _ => self.is_word(),
        }
    }

    /// Reads a word into the position.
    pub(super) fn read(
        &self,
        info: &GameInfo,
        word: &str,
        position: &mut Position,
    ) -> Result<(), PositionError> {
        match self {
            FenField::Flags(flags) => {
                for character in word.chars().filter(|&character| character != '-') {
                    let Some((_, slot)) = flags.iter().find(|(flag, _)| *flag == character) else {
                        let known: String = flags.iter().map(|(flag, _)| *flag).collect();
                        return error(format!("`{word}`: expected letters of `{known}`, or `-`"));
                    };
                    position.set(info, *slot, 1);
                }
                Ok(())
            }
            FenField::Square(slot, row) => read_square(info, *slot, *row, word, position),
            FenField::Rooks(rights) => rights.read(info, word, position),
            FenField::Number(slot) => match (word.parse::<i64>(), info.property_of_slot(*slot)) {
                (Ok(value), Some(property)) => {
                    position.set(info, *slot, value.clamp(property.low, property.high) as i32);
                    Ok(())
                }
                _ => error(format!("`{word}` is no number")),
            },
            FenField::Counter => match word.parse::<u32>() {
                Ok(number) => {
                    position.set_number(number);
                    Ok(())
                }
                Err(_) => error(format!("`{word}` is not the number of a move")),
            },
            FenField::Remaining(slot) => read_remaining(info, *slot, word, position),
            FenField::Fixed(_) | FenField::Hands(_) | FenField::Promoted(_) => Ok(()),
        }
    }

    /// The word for a position; none for what is said along with the rows.
    pub(super) fn write(&self, info: &GameInfo, position: &Position) -> Option<String> {
        match self {
            FenField::Flags(flags) => {
                let set: String = flags
                    .iter()
                    .filter(|(_, slot)| position.get(*slot) != 0)
                    .map(|(flag, _)| *flag)
                    .collect();
                Some(if set.is_empty() { "-".to_owned() } else { set })
            }
            FenField::Square(slot, row) => {
                let field = info.geometry.at(i64::from(position.get(*slot)), *row as i64);
                let name = |field| info.field_name(seen_by_mover(info, position.mover(), field));
                Some(field.map_or_else(|| "-".to_owned(), name))
            }
            FenField::Rooks(rights) => Some(rights.write(info, position)),
            FenField::Number(slot) => Some(position.get(*slot).to_string()),
            FenField::Counter => Some(position.number().to_string()),
            FenField::Remaining(slot) => {
                let high = info.property_of_slot(*slot).map_or(0, |property| property.high);
                let left = |colour: Colour| high - i64::from(position.get(slot + colour.index()));
                Some(format!("{}+{}", left(Colour::White), left(Colour::Black)))
            }
            FenField::Fixed(character) => Some(character.to_string()),
            FenField::Hands(_) | FenField::Promoted(_) => None,
        }
    }
}

fn read_square(
    info: &GameInfo,
    slot: Slot,
    row: usize,
    word: &str,
    position: &mut Position,
) -> Result<(), PositionError> {
    if word == "-" {
        return Ok(());
    }
    match info.parse_field(word) {
        Some((square, "")) => {
            let seen = seen_by_mover(info, position.mover(), square);
            if info.geometry.row(seen) != row {
                return error(format!("`{word}` is not in the row where this square can be"));
            }
            position.set(info, slot, info.geometry.column(seen) as i32);
            Ok(())
        }
        _ => error(format!("`{word}` is no square: write one such as `e3`, or `-`")),
    }
}

/// `3+2` as what is left, `+0+1` as what is there.
pub(super) fn read_remaining(
    info: &GameInfo,
    slot: Slot,
    word: &str,
    position: &mut Position,
) -> Result<(), PositionError> {
    let (Some(numbers), Some(property)) = (two_numbers(word), info.property_of_slot(slot)) else {
        return error(format!("`{word}` is no pair of numbers such as `3+3`"));
    };
    let PropertyInfo { low, high, .. } = *property;
    for (colour, number) in Colour::BOTH.into_iter().zip(numbers) {
        let value = if word.starts_with('+') { number } else { high.saturating_sub(number) };
        position.set(info, slot + colour.index(), value.clamp(low, high) as i32);
    }
    Ok(())
}

fn two_numbers(word: &str) -> Option<[i64; 2]> {
    let (white, black) = word.strip_prefix('+').unwrap_or(word).split_once('+')?;
    Some([white.parse().ok()?, black.parse().ok()?])
}

fn seen_by_mover(info: &GameInfo, mover: Colour, field: Field) -> Field {
    if mover == Colour::Black && info.sides == 2 { info.geometry.rotated(field) } else { field }
}

#[cfg(test)]
mod tests {
    use super::two_numbers;

    #[test]
    fn pairs_of_numbers_are_known() {
        assert_eq!(two_numbers("3+1"), Some([3, 1]));
        assert_eq!(two_numbers("+3+1"), Some([3, 1]));
        assert_eq!(two_numbers("99+-7"), Some([99, -7]));
        for word in ["+", "KQkq", "a+b", "++", "3", "-", "+3"] {
            assert_eq!(two_numbers(word), None, "{word}");
        }
    }
}
