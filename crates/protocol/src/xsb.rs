//! Levels of Sokoban as the world writes them: `#` wall, `@` keeper, `$` box, `.` goal, `+` keeper and `*` box on
//! a goal, a blank (or `-` or `_`) for the floor. A file may hold several; whatever is no row of a level stands
//! between them.
//!
//! ```text
//! ####
//! # .#
//! #  ###
//! #*@  #
//! #  $ #
//! #  ###
//! ####
//! ```

use game::text::PositionError;
use game::{GameInfo, PieceCode, Position};

/// The pieces of the game that reads such levels, with their characters there.
const PIECES: [(&str, char); 6] = [
    ("wall", '#'),
    ("keeper", '@'),
    ("keeper_on_goal", '+'),
    ("box", '$'),
    ("box_on_goal", '*'),
    ("goal", '.'),
];
const FLOOR: [char; 3] = [' ', '-', '_'];

/// The levels of a text; `None` if the game has not all of these pieces, or the text has no level.
#[must_use]
pub fn levels<'text>(info: &GameInfo, text: &'text str) -> Option<Vec<Vec<&'text str>>> {
    if !PIECES.iter().all(|(name, _)| info.pieces.iter().any(|piece| piece.name == *name)) {
        return None;
    }
    let is_row = |line: &&str| {
        let known = |sign: char| FLOOR.contains(&sign) || PIECES.iter().any(|(_, own)| *own == sign);
        line.contains('#') && line.trim_end().chars().all(known)
    };
    let mut levels: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        match levels.last_mut() {
            Some(level) if is_row(&line) => level.push(line.trim_end()),
            Some(level) if !level.is_empty() => levels.push(Vec::new()),
            _ => {}
        }
    }
    levels.retain(|level| level.len() > 1);
    (!levels.is_empty()).then_some(levels)
}

/// The position of a level, in the upper left corner of the board.
///
/// # Errors
/// When it does not fit, or there is not just one keeper.
pub fn position(info: &GameInfo, level: &[&str]) -> Result<Position, PositionError> {
    let wrong = |message: String| Err(PositionError { message });
    let board = &info.geometry;
    let (columns, rows) = (level.iter().map(|row| row.chars().count()).max().unwrap_or(0), level.len());
    if columns > board.columns() || rows > board.rows() {
        let (most, high) = (board.columns(), board.rows());
        return wrong(format!(
            "the level has {columns} columns and {rows} rows, the board {most} and {high}"
        ));
    }
    let mut position = Position::empty(info);
    let mut keepers = 0;
    for (row, line) in level.iter().enumerate() {
        for (column, sign) in line.chars().enumerate() {
            let Some((name, _)) = PIECES.iter().find(|(_, own)| *own == sign) else { continue };
            let kind = info.pieces.iter().find(|piece| piece.name == *name);
            let code = kind.map_or(PieceCode::EMPTY, |piece| piece.codes[0]);
            let field = board.at(column as i64 + 1, (board.rows() - row) as i64);
            if let Some(field) = field {
                position.set(info, usize::from(field), i32::from(code.0));
            }
            keepers += usize::from(name.starts_with("keeper"));
        }
    }
    match keepers {
        1 => Ok(position),
        count => wrong(format!("a level has one keeper, `@` or `+`, not {count}")),
    }
}
