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
//! for all fields. `move = 12` is the number of the move, where players count them, and `result = 1-0` says that the
//! game is over, where the position alone does not show it. Notations that players use (FEN and others) are in
//! [`crate::fen`]; [`read`] takes either.

use crate::fen;
use crate::info::{GameInfo, PieceCode};
use crate::position::Position;
use crate::statements::{self, Remarks};

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

/// Reads a position: as rows, in the notation of the game's players, or as `setup:NAME`.
///
/// # Errors
/// When the text is neither.
pub fn read(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    if text.len() > TEXT_BYTES_MAX {
        return error("this is too long to be a position");
    }
    if let Some(name) = text.trim().strip_prefix(SETUP) {
        return setup(info, name);
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
        // One row may be drawn, or written in short.
        (Some(line), None) => read_rows(info, &lines).or_else(|drawn| {
            let is_row = line.trim().chars().count() <= info.geometry.columns();
            fen::read(info, line.trim()).map_err(|written| if is_row { drawn } else { written })
        }),
        _ => read_rows(info, &lines),
    }
}

/// What stands before the name of a setup where a position is expected.
const SETUP: &str = "setup:";

/// One of the positions with a name that the rules give.
fn setup(info: &GameInfo, wanted: &str) -> Result<Position, PositionError> {
    if let Some((_, position)) = info.setups.iter().find(|(name, _)| name == wanted) {
        return Ok(position.clone());
    }
    let names: Vec<&str> = info.setups.iter().map(|(name, _)| name.as_str()).collect();
    let known = match names.is_empty() {
        true => "this game has no setup with a name".to_owned(),
        false => format!("this game has {}", names.join(", ")),
    };
    error(format!("there is no setup `{wanted}`: {known}"))
}

fn read_rows(info: &GameInfo, lines: &[&str]) -> Result<Position, PositionError> {
    let mut position = Position::empty(info);
    let (mut rows, mut remarks) = (Vec::new(), Remarks::default());
    for line in lines {
        if !remarks.read(info, line.trim(), &mut position)? {
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
    remarks.apply(info, &mut position)?;
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

fn characters_in_words(info: &GameInfo) -> String {
    let mut characters: Vec<char> = info.pieces.iter().flat_map(|piece| piece.characters).collect();
    characters.dedup();
    let list: Vec<String> = characters.iter().map(|character| format!("`{character}`")).collect();
    format!("{} or `.`", list.join(" "))
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
    statements::write(info, position, &mut text);
    text
}
