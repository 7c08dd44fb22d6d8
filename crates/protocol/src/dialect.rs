//! Positions as other programs write them, where that differs from what the rules say.
//!
//! Three-check has a further field: the checks that white and black may still give, `3+3`, before the counters (or
//! those given, `+0+0`, behind them). It becomes the property `checks` of games that have one. Levels of Sokoban are
//! read as its players write them ([`crate::xsb`]).

use game::text::{self, PositionError};
use game::{Colour, GameInfo, Position, PropertyKind};

use crate::{problems, xsb};

/// Reads a position in the game's own notation or a known dialect of it.
///
/// # Errors
/// When it is neither.
pub fn read_position(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    read_own(info, text).or_else(|error| match xsb::levels(info, text) {
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

fn read_own(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
    let checks = info.property("checks").filter(|property| property.kind == PropertyKind::Player);
    let Some(property) = checks else { return text::read(info, text) };
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = words.iter().enumerate().find_map(|(index, word)| Some((index, given(word, property.high)?)));
    let Some((index, given)) = found else { return text::read(info, text) };
    let rest = [&words[..index], &words[index + 1..]].concat().join(" ");
    let mut position = text::read(info, &rest)?;
    for colour in Colour::BOTH {
        position.set(info, property.slot + colour.index(), given[colour.index()]);
    }
    Ok(position)
}

/// `3+2` as what is left, `+0+1` as what was given.
fn given(word: &str, most: i64) -> Option<[i32; 2]> {
    let (white, black) = word.trim_start_matches('+').split_once('+')?;
    let (white, black) = (white.parse::<i64>().ok()?, black.parse::<i64>().ok()?);
    let count = |number: i64| {
        let number = number.clamp(0, most);
        (if word.starts_with('+') { number } else { most - number }) as i32
    };
    Some([count(white), count(black)])
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

    #[test]
    fn checks_are_counted_both_ways() {
        assert_eq!(given("3+1", 3), Some([0, 2]));
        assert_eq!(given("+3+1", 3), Some([3, 1]));
        assert_eq!(given("99+-7", 3), Some([0, 3]));
        assert_eq!([given("+", 3), given("KQkq", 3), given("a+b", 3), given("++", 3)], [None; 4]);
    }
}
