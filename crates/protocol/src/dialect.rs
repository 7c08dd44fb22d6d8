//! Positions as other programs write them, where that differs from what the rules say: levels of Sokoban as its
//! players write them ([`crate::xsb`]), and files with several positions.

use game::text::{self, PositionError};
use game::{GameInfo, Position};

use crate::{problems, xsb};

/// Reads a position in the game's own notation or a known dialect of it.
///
/// # Errors
/// When it is neither.
pub fn read_position(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    text::read(info, text).or_else(|error| match xsb::levels(info, text) {
        Some(levels) => xsb::position(info, &levels[0]),
        None => Err(error),
    })
}

/// The position with this number, from 1, of a text with several: levels, or test positions one a line.
///
/// # Errors
/// When there are not so many, or it is no position of the game.
pub fn read_numbered(info: &GameInfo, text: &str, number: usize) -> Result<Position, PositionError> {
    let missing = |count: usize| {
        let message = format!("there is no position {number} in it: there are {count}");
        PositionError { message }
    };
    let index = number.wrapping_sub(1);
    if let Some(levels) = xsb::levels(info, text) {
        return xsb::position(info, levels.get(index).ok_or_else(|| missing(levels.len()))?);
    }
    let problems = problems::read(info, text);
    let mut problems = problems.map_err(|error| PositionError { message: error.to_string() })?;
    match index < problems.len() {
        true => Ok(problems.swap_remove(index).position),
        false => Err(missing(problems.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;

    #[test]
    fn levels_are_read_by_number() {
        let sokoban = crate::library::interpreted!("sokoban");
        let info = sokoban.info();
        let text = include_str!("../../../suites/microban-20.txt");
        let setups = &sokoban.program().setups;
        assert_eq!(xsb::levels(info, text).unwrap().len(), 20);
        for (number, (name, position)) in setups.iter().enumerate() {
            assert!(read_numbered(info, text, number + 1).as_ref() == Ok(position), "{name}");
        }
        assert!(read_position(info, text).as_ref() == Ok(&setups[0].1));
        let error = |text: &str, number| read_numbered(info, text, number).unwrap_err().message;
        assert_eq!(error(text, 21), "there is no position 21 in it: there are 20");
        assert_eq!(error(text, 0), "there is no position 0 in it: there are 20");
        assert_eq!(error("###\n# #\n###\n", 1), "a level has one keeper, `@` or `+`, not 0");
        assert!(error(&"#@###########\n".repeat(2), 1).contains("13 columns"));
        assert!(error("nothing", 1).contains("line 1"));
    }
}
