//! Every field in reading order: as one line of characters, or as numbers.

use super::numbered_fields;
use crate::geometry::Field;
use crate::info::{GameInfo, PieceCode};
use crate::position::Position;
use crate::text::{PositionError, error};

pub(super) fn read_line(info: &GameInfo, empty: char, text: &str) -> Result<Position, PositionError> {
    let mut position = Position::empty(info);
    let characters: Vec<char> = text.chars().filter(|character| !character.is_whitespace()).collect();
    let fields = numbered_fields(info);
    if characters.len() != fields.len() && characters.len() != fields.len() + 1 {
        return error(format!(
            "{} characters instead of {}: one for each field, `{empty}` for empty, then the side to move",
            characters.len(),
            fields.len()
        ));
    }
    for (&field, &character) in fields.iter().zip(&characters) {
        let code =
            if character == empty { Some(PieceCode::EMPTY) } else { piece_of_any_case(info, character) };
        let Some(code) = code else { return error(format!("`{character}` is no piece of this game")) };
        position.put(info, field, code);
    }
    if let Some(&character) = characters.get(fields.len()) {
        match piece_of_any_case(info, character).and_then(|code| info.colour_of(code)) {
            Some(colour) => position.set_mover(colour),
            None => return error(format!("`{character}` does not say who is to move")),
        }
    }
    Ok(position)
}

fn piece_of_any_case(info: &GameInfo, character: char) -> Option<PieceCode> {
    let upper = character.to_ascii_uppercase();
    info.code_of_character(character).or_else(|| info.code_of_character(upper))
}

pub(super) fn write_line(info: &GameInfo, empty: char, position: &Position) -> String {
    let mut text: String = numbered_fields(info)
        .into_iter()
        .map(|field| position.piece(field))
        .map(|code| if code == PieceCode::EMPTY { empty } else { info.character(code) })
        .collect();
    if info.players == 2 {
        text.push(' ');
        text.push(info.pieces[0].characters[position.mover().index()]);
    }
    text
}

pub(super) fn read_tiles(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    let mut position = Position::empty(info);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let fields = numbered_fields(info);
    if words.len() != fields.len() {
        return error(format!(
            "{} numbers instead of {}, row by row, 0 for empty",
            words.len(),
            fields.len()
        ));
    }
    for (&field, word) in fields.iter().zip(words) {
        let code = match word.parse::<usize>() {
            Ok(0) => PieceCode::EMPTY,
            Ok(number) if number <= info.pieces.len() => info.pieces[number - 1].codes[0],
            _ => return error(format!("`{word}` is no number from 0 to {}", info.pieces.len())),
        };
        position.put(info, field, code);
    }
    Ok(position)
}

pub(super) fn write_tiles(info: &GameInfo, position: &Position) -> String {
    let number = |field: Field| {
        let code = position.piece(field);
        info.pieces.iter().position(|piece| piece.codes[0] == code).map_or(0, |index| index + 1)
    };
    numbered_fields(info).into_iter().map(|field| number(field).to_string()).collect::<Vec<_>>().join(" ")
}
