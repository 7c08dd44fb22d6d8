//! Positions as other programs write them, where that differs from what the rules say.
//!
//! Three-check has a further field: the checks that white and black may still give, `3+3`, before the counters (or
//! those given, `+0+0`, behind them). It becomes the property `checks` of games that have one.

use game::text::{self, PositionError};
use game::{Colour, GameInfo, Position, PropertyKind};

/// Reads a position in the game's own notation or a known dialect of it.
///
/// # Errors
/// When it is neither.
pub fn read_position(info: &GameInfo, text: &str) -> Result<Position, PositionError> {
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

    #[test]
    fn checks_are_counted_both_ways() {
        assert_eq!(given("3+1", 3), Some([0, 2]));
        assert_eq!(given("+3+1", 3), Some([3, 1]));
        assert_eq!(given("99+-7", 3), Some([0, 3]));
        assert_eq!([given("+", 3), given("KQkq", 3), given("a+b", 3), given("++", 3)], [None; 4]);
    }
}
