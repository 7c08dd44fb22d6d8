//! Extended position description: a position and what is said about it, one line each.
//!
//! ```text
//! 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
//! ```

use game::fen::PositionNotation;
use game::text::{self, PositionError};
use game::{GameInfo, Position};

/// A line of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// What is said about it: names and their operands, in the order of the line.
    pub operations: Vec<(String, Vec<String>)>,
}

impl Epd {
    /// Reads a line.
    ///
    /// # Errors
    /// When it does not begin with a position of the game.
    pub fn read(info: &GameInfo, line: &str) -> Result<Epd, PositionError> {
        let words = word_ends(line);
        let (needed, most) = field_counts(info);
        let is_number = |index: usize| {
            let (start, end) = words[index];
            line[start..end].bytes().all(|byte| byte.is_ascii_digit() || byte == b'+')
        };
        let mut count = needed.min(words.len());
        while count < words.len() && count < most && is_number(count) {
            count += 1;
        }
        let is_remark = |index: usize| game::fen::is_remark(info, &line[words[index].0..words[index].1]);
        while count < words.len() && is_remark(count) {
            count += 1;
        }
        let end = count.checked_sub(1).map_or(0, |last| words[last].1);
        let position = text::read(info, &line[..end])?;
        Ok(Epd { position, operations: operations(&line[end..]) })
    }

    /// The operands of an operation; none if it is not there.
    #[must_use]
    pub fn operands(&self, name: &str) -> &[String] {
        self.operations.iter().find(|(own, _)| own == name).map_or(&[], |(_, operands)| operands)
    }

    /// The first operand of an operation.
    #[must_use]
    pub fn operand(&self, name: &str) -> Option<&str> {
        self.operands(name).first().map(String::as_str)
    }
}

/// How many words a position has at least, and at most (with the counters that EPD leaves out).
fn field_counts(info: &GameInfo) -> (usize, usize) {
    match &info.notation {
        PositionNotation::Fen(fields) => {
            let words = fields.iter().filter(|field| field.is_word()).count();
            let counters = fields.iter().filter(|field| field.is_counter()).count();
            (2 + words - counters, 2 + words)
        }
        PositionNotation::Line(_) => (2, 2),
        PositionNotation::Draughts { .. } => (1, 1),
        PositionNotation::Tiles => (info.geometry.fields(), info.geometry.fields()),
    }
}

/// Where the words of a line begin and end.
fn word_ends(line: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (index, character) in line.char_indices().chain([(line.len(), ' ')]) {
        match (start, character.is_whitespace()) {
            (None, false) => start = Some(index),
            (Some(begin), true) => {
                words.push((begin, index));
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// `bm Qg6; id "WAC.001"; c0 "a; b"`
fn operations(text: &str) -> Vec<(String, Vec<String>)> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quoted, mut some) = (String::new(), false, false);
    for character in text.chars().chain([';']) {
        match character {
            '"' => {
                quoted = !quoted;
                some = true;
            }
            _ if quoted && character != '\n' => word.push(character),
            ';' | ' ' | '\t' | '\r' | '\n' => {
                if some || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                some = false;
                if character == ';' && !words.is_empty() {
                    let name = words.remove(0);
                    operations.push((name, std::mem::take(&mut words)));
                }
            }
            _ => word.push(character),
        }
    }
    operations
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;

    #[test]
    fn operations_have_operands() {
        let game = native::NativeChess::new();
        let line = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2 Rb1; id \"WAC; 002\"; c0 \"\";dm 3";
        let epd = Epd::read(game.info(), line).unwrap();
        assert_eq!(epd.operands("bm"), ["Rxb2", "Rb1"]);
        assert_eq!(epd.operand("id"), Some("WAC; 002"));
        assert_eq!(epd.operand("c0"), Some(""));
        assert_eq!(epd.operand("dm"), Some("3"));
        assert_eq!(epd.operand("am"), None);
    }

    #[test]
    fn counters_may_be_there_or_not() {
        let game = native::NativeChess::new();
        for counters in ["", " 3", " 3 17"] {
            let line = format!("8/8/8/8/8/k7/8/K6R w - -{counters} bm Rh3+;");
            assert_eq!(Epd::read(game.info(), &line).unwrap().operands("bm"), ["Rh3+"]);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let game = native::NativeChess::new();
        for line in ["", "bm e4;", "8/8 w - -", "\"\"\"", "ÿÿÿ ÿ ÿ ÿ", "8/8/8/8/8/8/8/8 x - - bm e4;"] {
            assert!(Epd::read(game.info(), line).is_err(), "{line}");
        }
    }
}
