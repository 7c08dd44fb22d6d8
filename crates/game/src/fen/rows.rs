//! FEN: rows, hands, mover, further fields.

use super::fields::{FenField, read_remaining};
use crate::info::{GameInfo, PieceCode, Slot};
use crate::outcome::Colour;
use crate::position::Position;
use crate::text::{PositionError, error};

/// Whether runs of empty fields may be written as numbers.
fn digits_are_runs(info: &GameInfo) -> bool {
    info.pieces.iter().all(|piece| piece.characters.iter().all(|character| !character.is_ascii_digit()))
}

fn hands(fields: &[FenField]) -> Option<&[(usize, Slot)]> {
    fields.iter().find_map(|field| match field {
        FenField::Hands(hands) => Some(hands.as_slice()),
        _ => None,
    })
}

fn promoted(fields: &[FenField]) -> &[(usize, usize)] {
    let found = fields.iter().find_map(|field| match field {
        FenField::Promoted(promoted) => Some(promoted.as_slice()),
        _ => None,
    });
    found.unwrap_or_default()
}

pub(super) fn read(info: &GameInfo, fields: &[FenField], text: &str) -> Result<Position, PositionError> {
    // Some write blanks around `/`.
    let joined = text.split('/').map(str::trim).collect::<Vec<_>>().join("/");
    let mut words = joined.split_whitespace().peekable();
    let mut position = Position::empty(info);
    let mut board = words.next().unwrap_or_default();
    if let Some(hands) = hands(fields)
        && let Some((rows, held)) = board.strip_suffix(']').and_then(|board| board.split_once('['))
    {
        board = rows;
        read_hands(info, hands, held, &mut position)?;
    }
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != info.geometry.rows() {
        return error(format!(
            "`{}` is no position of this game: the board has {} rows, separated by `/`, and this has {}",
            text.chars().take(60).collect::<String>(),
            info.geometry.rows(),
            rows.len()
        ));
    }
    for (number, row) in rows.iter().enumerate() {
        read_row(info, promoted(fields), row, info.geometry.rows() - number, &mut position)?;
    }
    match words.next() {
        Some("w" | "white") | None => {}
        Some("b" | "black") if info.players == 2 => position.set_mover(Colour::Black),
        Some(word) => return error(format!("`{word}` does not say who is to move: write `w` or `b`")),
    }
    for field in fields.iter().filter(|field| field.is_word()) {
        // Short FENs are common: what is missing is at its least value.
        let Some(word) = words.next_if(|word| field.takes(word)) else { continue };
        field.read(info, word, &mut position)?;
    }
    for field in fields {
        if let FenField::Remaining(slot) = field
            && let Some(word) = words.next_if(|word| word.starts_with('+'))
        {
            read_remaining(info, *slot, word, &mut position)?;
        }
    }
    match words.next() {
        Some(word) => error(format!("`{word}` is one field too many for a position of this game")),
        None => Ok(position),
    }
}

/// `RPp`, capitals for white; `-` or nothing for empty hands.
fn read_hands(
    info: &GameInfo,
    hands: &[(usize, Slot)],
    text: &str,
    position: &mut Position,
) -> Result<(), PositionError> {
    for letter in text.chars().filter(|&letter| letter != '-') {
        let found = hands.iter().find_map(|&(piece, slot)| {
            let characters = info.pieces[piece].characters;
            let colour = Colour::BOTH.into_iter().find(|colour| characters[colour.index()] == letter)?;
            Some(slot + colour.index())
        });
        let Some(slot) = found else {
            return error(format!("`{letter}` in `[{text}]` is no piece that can be in a hand"));
        };
        let most = info.property_of_slot(slot).map_or(0, |property| property.high);
        if i64::from(position.get(slot)) >= most {
            return error(format!("`[{text}]`: a hand holds at most {most} of `{letter}`"));
        }
        position.set(info, slot, position.get(slot) + 1);
    }
    Ok(())
}

fn read_row(
    info: &GameInfo,
    promoted: &[(usize, usize)],
    text: &str,
    row: usize,
    position: &mut Position,
) -> Result<(), PositionError> {
    let runs = digits_are_runs(info);
    let (mut column, mut rest) = (1, text);
    while let Some(character) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if runs && digits > 0 {
            column += rest[..digits].parse::<usize>().unwrap_or(usize::MAX).min(info.geometry.columns() + 1);
            rest = &rest[digits..];
            continue;
        }
        let (code, length) = match read_promoted(info, promoted, rest) {
            Some(found) => found,
            None => {
                let code = info.code_of_character(character).unwrap_or(PieceCode::UNUSED);
                (code, character.len_utf8())
            }
        };
        let Some(field) = info.geometry.at(column as i64, row as i64) else { break };
        if info.geometry.is_used(field) {
            if code == PieceCode::UNUSED && character == '*' {
                let empty = write_row(info, &[], row as i64, &Position::empty(info));
                return error(format!(
                    "`*` is a field that is not used, and in row `{text}` it stands on another one: without pieces, \
                     the row is `{empty}`"
                ));
            }
            if code == PieceCode::UNUSED {
                return error(format!("`{character}` in row `{text}` is no piece of this game"));
            }
            position.put(info, field, code);
        } else if !matches!(code, PieceCode::UNUSED | PieceCode::EMPTY) && character != '*' {
            return error(format!("`{character}` in row `{text}` stands on a field that is not used"));
        }
        column += 1;
        rest = &rest[length..];
    }
    if column != info.geometry.columns() + 1 {
        return error(format!(
            "row `{text}` does not have {} fields: check the pieces and the numbers of empty fields",
            info.geometry.columns()
        ));
    }
    Ok(())
}

/// A piece written as another one with a `+`, and the length of that.
fn read_promoted(info: &GameInfo, promoted: &[(usize, usize)], text: &str) -> Option<(PieceCode, usize)> {
    let letter = text.strip_prefix('+')?.chars().next()?;
    promoted.iter().find_map(|&(piece, plain)| {
        let characters = info.pieces[plain].characters;
        let colour = Colour::BOTH.into_iter().find(|colour| characters[colour.index()] == letter)?;
        Some((info.pieces[piece].codes[colour.index()], 1 + letter.len_utf8()))
    })
}

pub(super) fn write(info: &GameInfo, fields: &[FenField], position: &Position) -> String {
    let rows = (1..=info.geometry.rows() as i64).rev().map(|row| write_row(info, fields, row, position));
    let mut text = rows.collect::<Vec<_>>().join("/");
    if let Some(hands) = hands(fields) {
        text.push('[');
        for colour in Colour::BOTH {
            for &(piece, slot) in hands {
                let held = usize::try_from(position.get(slot + colour.index())).unwrap_or(0);
                text.extend(std::iter::repeat_n(info.pieces[piece].characters[colour.index()], held));
            }
        }
        text.push(']');
    }
    if info.players == 2 {
        text.push_str(if position.mover() == Colour::White { " w" } else { " b" });
    }
    for word in fields.iter().filter_map(|field| field.write(info, position)) {
        text.push(' ');
        text.push_str(&word);
    }
    text
}

fn write_row(info: &GameInfo, fields: &[FenField], row: i64, position: &Position) -> String {
    let (runs, promoted) = (digits_are_runs(info), promoted(fields));
    let (mut text, mut empty) = (String::new(), 0);
    for column in 1..=info.geometry.columns() as i64 {
        let field = info.geometry.at(column, row).expect("inside the board");
        let code = position.piece(field);
        if code == PieceCode::EMPTY && runs {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        let plain = promoted.iter().find_map(|&(piece, plain)| {
            let colour = info.pieces[piece].codes.iter().position(|&own| own == code)?;
            Some(info.pieces[plain].characters[colour])
        });
        match plain {
            Some(plain) => text.extend(['+', plain]),
            None if code == PieceCode::UNUSED => text.push('*'),
            None => text.push(info.character(code)),
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}
