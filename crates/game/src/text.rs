//! Positions as text, in and out.
//!
//! The rows from top to bottom as white sees them, one character a field, `.` for empty and blank for
//! unused; then, in any order, who is to move and the properties:
//!
//! ```text
//! ....k...
//! ........
//! …
//! white to move
//! white may_castle_left = 1
//! ```
//!
//! A `field` property is written as all its values in reading order, rows separated by `/`, or as one value
//! for all fields. Notations that players use (FEN and others) are in [`crate::fen`]; [`read`] takes either.

use crate::fen;
use crate::info::{GameInfo, PieceCode, PropertyInfo, PropertyKind};
use crate::outcome::Colour;
use crate::position::Position;

/// Why a text is not a position of the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct PositionError {
    /// What is wrong and what to write instead.
    pub message: String,
}

/// A shorthand for the many places that can fail.
pub(crate) fn error<T>(message: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError { message: message.into() })
}

/// The longest text that can be a position; anything longer is a mistake.
pub const TEXT_BYTES_MAX: usize = 1 << 20;

/// Reads a position: as rows, or in the notation of the game's players.
///
/// # Errors
/// When the text is neither.
pub fn read(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    if text.len() > TEXT_BYTES_MAX {
        return error("this is too long to be a position");
    }
    let hash_is_a_piece = info.code_of_character('#').is_some();
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| hash_is_a_piece || !line.trim_start().starts_with('#'))
        .collect();
    let mut filled = lines.iter().filter(|line| !line.is_empty());
    match (filled.next(), filled.next()) {
        (None, _) => error("the position is empty: give the rows of the board from top to bottom"),
        (Some(line), None) if info.geometry.rows() > 1 => fen::read(info, line.trim()),
        (Some(line), None) if line.trim().chars().count() > info.geometry.columns() => {
            fen::read(info, line.trim())
        }
        _ => read_rows(info, &lines),
    }
}

fn read_rows(info: &GameInfo, lines: &[&str]) -> Result<Position, PositionError> {
    let mut position = Position::empty(info);
    let mut rows = Vec::new();
    for line in lines {
        if !read_statement(info, line.trim(), &mut position)? {
            rows.push(*line);
        }
    }
    let rows = trim_rows(&rows, info.geometry.rows());
    if rows.len() != info.geometry.rows() {
        return error(format!(
            "the position has {} rows of fields, the board has {}",
            rows.len(),
            info.geometry.rows()
        ));
    }
    let unused_columns = (1..=info.geometry.columns() as i64)
        .take_while(|&column| {
            (1..=info.geometry.rows() as i64)
                .all(|row| info.geometry.at(column, row).is_some_and(|field| !info.geometry.is_used(field)))
        })
        .count();
    let indent = indent(&rows).saturating_sub(unused_columns);
    let mut fields = info.geometry.reading_order();
    for (number, row) in rows.iter().enumerate() {
        let mut characters = row.chars().skip(indent);
        for column in 1..=info.geometry.columns() {
            let field = fields.next().expect("as many fields as rows times columns");
            let character = characters.next().unwrap_or(' ');
            let place = || format!("row {} from the top, column {column}", number + 1);
            match (info.code_of_character(character), info.geometry.is_used(field)) {
                (None, _) => {
                    return error(format!(
                        "`{character}` in {} is no piece of this game: use {}",
                        place(),
                        characters_in_words(info)
                    ));
                }
                (Some(PieceCode::UNUSED), true) => {
                    return error(format!("the field in {} is blank: write `.` for an empty field", place()));
                }
                (Some(PieceCode::UNUSED | PieceCode::EMPTY), false) => {}
                (Some(_), false) => return error(format!("the field in {} is not used", place())),
                (Some(code), true) => position.put(info, field, code),
            }
        }
        if characters.any(|character| !character.is_whitespace()) {
            return error(format!(
                "row {} from the top is longer than the board's {} columns",
                number + 1,
                info.geometry.columns()
            ));
        }
    }
    Ok(position)
}

/// The board's rows among the lines: blank lines around them do not count.
fn trim_rows<'text>(lines: &[&'text str], rows: usize) -> Vec<&'text str> {
    let mut lines = lines.to_vec();
    while lines.len() > rows && lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    while lines.len() > rows && lines.first().is_some_and(|line| line.trim().is_empty()) {
        lines.remove(0);
    }
    lines
}

fn indent(rows: &[&str]) -> usize {
    let filled = rows.iter().filter(|row| !row.trim().is_empty());
    filled.map(|row| row.chars().take_while(|character| *character == ' ').count()).min().unwrap_or(0)
}

/// Which fields of a board a text uses, in field order: for rules that come without a setup.
///
/// # Errors
/// When the text has too few or too many rows.
pub fn used_fields(columns: usize, rows: usize, text: &str) -> Result<Vec<bool>, PositionError> {
    if text.len() > TEXT_BYTES_MAX {
        return error("this is too long to be a position");
    }
    let is_statement = |line: &str| line.ends_with("to move") || line.contains('=');
    let lines: Vec<&str> = text.lines().filter(|line| !is_statement(line.trim_end())).collect();
    let lines = trim_rows(&lines, rows);
    if lines.len() != rows {
        return Ok(vec![true; columns * rows]);
    }
    let indent = indent(&lines);
    let mut used = vec![false; columns * rows];
    for (number, line) in lines.iter().enumerate() {
        for (column, character) in line.chars().skip(indent).take(columns).enumerate() {
            used[(rows - 1 - number) * columns + column] = character != ' ';
        }
    }
    if used.contains(&true) { Ok(used) } else { Ok(vec![true; columns * rows]) }
}

/// Reads `white to move` or `name = value`; false when the line is neither.
fn read_statement(info: &GameInfo, line: &str, position: &mut Position) -> Result<bool, PositionError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let [colour, "to", "move"] = words[..] {
        let Some(colour) = parse_colour(colour) else { return error(format!("`{line}`: who is to move?")) };
        if info.players < 2 && colour == Colour::Black {
            return error("this game has one player: `black to move` cannot be");
        }
        position.set_mover(colour);
        return Ok(true);
    }
    let Some((left, right)) = line.split_once('=') else { return Ok(false) };
    let (colour, name) = match left.split_whitespace().collect::<Vec<_>>()[..] {
        [name] => (None, name),
        [colour, name] if parse_colour(colour).is_some() => (parse_colour(colour), name),
        _ => return Ok(false),
    };
    let Some(property) = info.property(name) else {
        if info.code_of_character('=').is_some() {
            return Ok(false);
        }
        return error(format!("`{name}` is no property of this game{}", properties_in_words(info)));
    };
    set_property(info, property, colour, right.trim(), position)?;
    Ok(true)
}

fn set_property(
    info: &GameInfo,
    property: &PropertyInfo,
    colour: Option<Colour>,
    text: &str,
    position: &mut Position,
) -> Result<(), PositionError> {
    let name = &property.name;
    match (property.kind, colour) {
        (PropertyKind::Board, None) => {
            position.set(info, property.slot, parse_value(property, text)?);
        }
        (PropertyKind::Player, Some(colour)) => {
            position.set(info, property.slot + colour.index(), parse_value(property, text)?);
        }
        (PropertyKind::Player, None) if info.players < 2 => {
            position.set(info, property.slot, parse_value(property, text)?);
        }
        (PropertyKind::Player, None) => {
            return error(format!(
                "`{name}` belongs to a player: write `white {name} = …` or `black {name} = …`"
            ));
        }
        (PropertyKind::Field, None) => {
            let values: Vec<&str> = text
                .split(|c: char| c == '/' || c.is_whitespace())
                .filter(|value| !value.is_empty())
                .collect();
            let one_for_all = values.len() == 1;
            if !one_for_all && values.len() != info.geometry.fields() {
                return error(format!(
                    "`{name}` has {} values: give one for all fields, or {} in reading order",
                    values.len(),
                    info.geometry.fields()
                ));
            }
            for (index, field) in info.geometry.reading_order().enumerate() {
                if info.geometry.is_used(field) {
                    let value = parse_value(property, values[if one_for_all { 0 } else { index }])?;
                    position.set(info, property.slot + field as usize, value);
                }
            }
        }
        (PropertyKind::Board | PropertyKind::Field, Some(colour)) => {
            return error(format!("`{name}` does not belong to a player: write it without `{colour}`"));
        }
        (PropertyKind::Move, _) => {
            return error(format!("`{name}` lives only during a move and is no part of a position"));
        }
    }
    Ok(())
}

fn parse_value(property: &PropertyInfo, text: &str) -> Result<i32, PositionError> {
    match text.parse::<i64>() {
        Ok(value) if (property.low..=property.high).contains(&value) => Ok(value as i32),
        Ok(value) => error(format!(
            "{value} is out of range for `{}`, which goes from {} to {}",
            property.name, property.low, property.high
        )),
        Err(_) => error(format!("`{text}` is no number for `{}`", property.name)),
    }
}

fn parse_colour(word: &str) -> Option<Colour> {
    Colour::BOTH.into_iter().find(|colour| colour.to_string() == word)
}

fn characters_in_words(info: &GameInfo) -> String {
    let mut characters: Vec<char> = info.pieces.iter().flat_map(|piece| piece.characters).collect();
    characters.dedup();
    let list: Vec<String> = characters.iter().map(|character| format!("`{character}`")).collect();
    format!("{} or `.`", list.join(" "))
}

fn properties_in_words(info: &GameInfo) -> String {
    let stored = info.properties.iter().filter(|property| property.kind != PropertyKind::Move);
    let names: Vec<String> = stored.map(|property| format!("`{}`", property.name)).collect();
    if names.is_empty() { ": it has none".to_owned() } else { format!(": it has {}", names.join(", ")) }
}

/// Writes a position as [`read`] reads it.
#[must_use]
pub fn write(info: &GameInfo, position: &Position) -> String {
    let mut text = String::new();
    for row in (1..=info.geometry.rows() as i64).rev() {
        let line: String = (1..=info.geometry.columns() as i64)
            .filter_map(|column| info.geometry.at(column, row))
            .map(|field| info.character(position.piece(field)))
            .collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if info.players == 2 {
        text.push_str(&format!("{} to move\n", position.mover()));
    }
    for property in &info.properties {
        write_property(info, property, position, &mut text);
    }
    text
}

fn write_property(info: &GameInfo, property: &PropertyInfo, position: &Position, text: &mut String) {
    let name = &property.name;
    let differs = |slot: usize| i64::from(position.get(slot)) != property.low;
    match property.kind {
        PropertyKind::Board if differs(property.slot) => {
            text.push_str(&format!("{name} = {}\n", position.get(property.slot)));
        }
        PropertyKind::Player => {
            for colour in Colour::BOTH.into_iter().filter(|colour| differs(property.slot + colour.index())) {
                text.push_str(&format!(
                    "{colour} {name} = {}\n",
                    position.get(property.slot + colour.index())
                ));
            }
        }
        PropertyKind::Field if (0..info.geometry.fields()).any(|field| differs(property.slot + field)) => {
            let rows: Vec<String> = (1..=info.geometry.rows() as i64)
                .rev()
                .map(|row| {
                    let fields = (1..=info.geometry.columns() as i64)
                        .filter_map(|column| info.geometry.at(column, row))
                        .map(|field| match info.geometry.is_used(field) {
                            true => position.get(property.slot + field as usize).to_string(),
                            false => "-".to_owned(),
                        });
                    fields.collect::<Vec<_>>().join(" ")
                })
                .collect();
            text.push_str(&format!("{name} = {}\n", rows.join(" / ")));
        }
        PropertyKind::Board | PropertyKind::Field | PropertyKind::Move => {}
    }
}
