//! Draughts on numbered fields: `W:W21,22,K31:B1,2`.

use super::{FenField, numbered_fields, rows};
use crate::info::GameInfo;
use crate::outcome::Colour;
use crate::position::Position;
use crate::text::{PositionError, error};

pub(super) fn read(
    info: &GameInfo,
    plain: usize,
    crowned: usize,
    fields: &[FenField],
    text: &str,
) -> Result<Position, PositionError> {
    let text = text.trim().trim_end_matches('.').trim_matches('"');
    if text.contains('/') {
        return rows::read(info, &[], text);
    }
    let mut parts = text.split(':');
    let mut position = Position::empty(info);
    match parts.next().map(str::trim) {
        Some("W" | "w") => {}
        Some("B" | "b") => position.set_mover(Colour::Black),
        _ => return error(format!("`{text}` does not begin with `W:` or `B:`, the side to move")),
    }
    let places = numbered_fields(info);
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        if let Some((field, number)) = further_field(fields, part) {
            field.read(info, number, &mut position)?;
            continue;
        }
        let colour = match part.chars().next() {
            Some('W' | 'w') => Colour::White,
            Some('B' | 'b') => Colour::Black,
            _ => return error(format!("`{part}` does not begin with a colour, `W` or `B`")),
        };
        for item in part[1..].split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (piece, number) = match item.strip_prefix(['K', 'k']) {
                Some(number) => (crowned, number),
                None => (plain, item),
            };
            let (first, last) = number.split_once('-').unwrap_or((number, number));
            let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
                return error(format!("`{item}` is no field number"));
            };
            if first == 0 || last < first || last > places.len() {
                return error(format!("`{item}`: fields are numbered from 1 to {}", places.len()));
            }
            for field in &places[first - 1..last] {
                position.put(info, *field, info.pieces[piece].codes[colour.index()]);
            }
        }
    }
    Ok(position)
}

/// `H3` for a number and `F12` for the counter of moves, where there are such.
fn further_field<'text, 'fields>(
    fields: &'fields [FenField],
    part: &'text str,
) -> Option<(&'fields FenField, &'text str)> {
    fields.iter().find_map(|field| Some((field, part.strip_prefix(letter(field)?)?)))
}

fn letter(field: &FenField) -> Option<char> {
    match field {
        FenField::Number(_) => Some('H'),
        FenField::Counter => Some('F'),
        _ => None,
    }
}

pub(super) fn write(
    info: &GameInfo,
    plain: usize,
    crowned: usize,
    fields: &[FenField],
    position: &Position,
) -> String {
    let places = numbered_fields(info);
    let side = |colour: Colour| {
        let items = places.iter().enumerate().filter_map(|(index, &field)| {
            let code = position.piece(field);
            let kind =
                [plain, crowned].into_iter().find(|&kind| info.pieces[kind].codes[colour.index()] == code)?;
            Some(format!("{}{}", if kind == crowned { "K" } else { "" }, index + 1))
        });
        items.collect::<Vec<_>>().join(",")
    };
    let mover = if position.mover() == Colour::White { 'W' } else { 'B' };
    let mut text = format!("{mover}:W{}:B{}", side(Colour::White), side(Colour::Black));
    for field in fields {
        // What is as at the start is not said.
        let is_plain = match field {
            FenField::Number(slot) => position.get(*slot) == Position::empty(info).get(*slot),
            _ => position.number() == 1,
        };
        if let (Some(letter), Some(number), false) = (letter(field), field.write(info, position), is_plain) {
            text.push_str(&format!(":{letter}{number}"));
        }
    }
    text
}
