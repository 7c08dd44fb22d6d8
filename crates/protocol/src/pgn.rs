//! Portable game notation: games with their tags, read and written.
//!
//! Reading understands comments, variations (skipped), annotations, and moves in standard algebraic notation,
//! coordinates or the game's own notation. What moves mean is looked up in the rules: a game that cannot be played is
//! an error.

use std::fmt::Write as _;

use game::record::{Record, Standing};
use game::text::PositionError;
use game::{Colour, Game, Move, Position, RuleFault, fen};
use search::Knowledge;

use crate::san;

/// Lines of moves are not longer than this.
const LINE_LENGTH: usize = 79;
/// The tags that every game has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// A game as text: tags and the moves as they were written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pgn {
    /// Names and values in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line.
    pub moves: Vec<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// Why a game cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The `FEN` tag has no position of the game.
    #[error("the FEN tag: {0}")]
    Position(PositionError),
    /// Neither the rules nor a tag say where the game begins.
    #[error("the game has no FEN tag and the rules have no start position")]
    NoStart,
    /// A move is not legal.
    #[error("move {number}: {error}")]
    Move {
        /// Which ply, from 1.
        number: usize,
        /// Why not.
        error: game::notation::MoveError,
    },
    /// The rules went wrong.
    #[error("{0}")]
    Fault(Box<RuleFault>),
}

impl From<PositionError> for PgnError {
    fn from(error: PositionError) -> PgnError {
        PgnError::Position(error)
    }
}

impl From<RuleFault> for PgnError {
    fn from(fault: RuleFault) -> PgnError {
        PgnError::Fault(Box::new(fault))
    }
}

impl Pgn {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Plays the moves.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn replay<'game, G: Game>(&self, game: &'game G) -> Result<Record<'game, G>, PgnError> {
        let info = game.info();
        let start = match self.tag("FEN") {
            Some(position) => game::text::read(info, position)?,
            None => info.start.clone().ok_or(PgnError::NoStart)?,
        };
        self.replay_from(game, start)
    }

    /// Plays the moves from a position, whatever the tags say.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn replay_from<'game, G: Game>(
        &self,
        game: &'game G,
        start: Position,
    ) -> Result<Record<'game, G>, PgnError> {
        let info = game.info();
        let mut record = Record::new(game, game.admit(start)?)?;
        for (index, name) in self.moves.iter().enumerate() {
            let position = game.unpack(record.position());
            let found = san::find(info, &position, record.legal(), name);
            let found = found.map_err(|error| PgnError::Move { number: index + 1, error })?;
            let played = record.legal().get(found).to_move();
            record.play(&played)?;
        }
        Ok(record)
    }

    /// The game so far, with these tags; missing ones of the usual seven are added.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn of_record<G: Game>(
        record: &Record<'_, G>,
        knowledge: &Knowledge,
        tags: &[(&str, &str)],
    ) -> Result<Pgn, RuleFault> {
        Ok(Pgn::named(record, names(record, knowledge)?, tags))
    }

    /// The same for one who has the names of the moves already.
    pub fn named<G: Game>(record: &Record<'_, G>, moves: Vec<String>, tags: &[(&str, &str)]) -> Pgn {
        let result = match record.standing() {
            Standing::Open => "*",
            Standing::Finished(outcome, viewer) => match outcome.winner(viewer) {
                Some(Colour::White) => "1-0",
                Some(Colour::Black) => "0-1",
                None => "1/2-1/2",
            },
        };
        let given = |name: &str| tags.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        let usual = |name: &str| match name {
            "Result" => result,
            "Date" => "????.??.??",
            _ => "?",
        };
        let mut all: Vec<(String, String)> = ROSTER
            .iter()
            .map(|name| ((*name).to_owned(), given(name).unwrap_or_else(|| usual(name)).to_owned()))
            .collect();
        let others = tags.iter().filter(|(name, _)| !ROSTER.contains(name));
        all.extend(others.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let info = record.game().info();
        if info.start.as_ref() != Some(record.start()) {
            all.push(("SetUp".to_owned(), "1".to_owned()));
            all.push(("FEN".to_owned(), fen::write(info, record.start())));
        }
        let result = given("Result").unwrap_or(result).to_owned();
        Pgn { tags: all, moves, result }
    }
}

/// What the moves of a game are called: standard algebraic notation where there is one.
///
/// # Errors
/// When the rules go wrong.
pub fn names<G: Game>(record: &Record<'_, G>, knowledge: &Knowledge) -> Result<Vec<String>, RuleFault> {
    let game = record.game();
    let mut replay = Record::new(game, record.start().clone())?;
    let mut moves = Vec::new();
    for played in record.moves() {
        moves.push(san::write(game, knowledge, replay.position(), replay.legal(), Move::view(played))?);
        replay.play(played)?;
    }
    Ok(moves)
}

impl std::fmt::Display for Pgn {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(formatter, "[{name} \"{value}\"]")?;
        }
        writeln!(formatter)?;
        // Whichever side begins, black's first move needs its dots only if the position says that black begins.
        let black_begins = self.tag("FEN").and_then(|text| text.split_whitespace().nth(1)) == Some("b");
        let mut line = String::new();
        let mut add = |word: String, formatter: &mut std::fmt::Formatter<'_>| {
            if !line.is_empty() && line.len() + 1 + word.len() > LINE_LENGTH {
                writeln!(formatter, "{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.write_str(&word)
        };
        for (index, name) in self.moves.iter().enumerate() {
            let ply = index + usize::from(black_begins);
            if ply % 2 == 0 {
                add(format!("{}.", ply / 2 + 1), formatter)?;
            } else if index == 0 {
                add("1...".to_owned(), formatter)?;
            }
            add(as_token(name), formatter)?;
        }
        add(if self.result.is_empty() { "*".to_owned() } else { self.result.clone() }, formatter)?;
        writeln!(formatter, "{line}")
    }
}

/// A move as it stands in a file: names that a reader would take for something else are quoted.
fn as_token(name: &str) -> String {
    let mut read = Pgn::default();
    let signs = |character: char| character.is_whitespace() || "{}();\"[]".contains(character);
    let ends = take_word(&mut read, name);
    if !ends && !name.contains(signs) && !name.starts_with('%') && read.moves == [name] {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether a text is meant as games rather than as positions: it begins with a tag or the number of a move.
#[must_use]
pub fn is_meant(text: &str) -> bool {
    let lines = text.lines().map(str::trim);
    let first = lines.filter(|line| !line.is_empty()).find(|line| !line.starts_with(['#', '%', ';', '{']));
    first.is_some_and(|line| line.starts_with('[') || line.starts_with("1."))
}

/// Reads all games of a text. What cannot be understood is left out: whether the moves are legal shows in
/// [`Pgn::replay`].
#[must_use]
pub fn read(text: &str) -> Vec<Pgn> {
    let mut games = Vec::new();
    let mut game = Pgn::default();
    let mut rest = text;
    let mut depth = 0_usize;
    while let Some(first) = rest.chars().next() {
        let (skipped, after) = match first {
            '[' if depth == 0 => {
                if !game.moves.is_empty() {
                    games.push(std::mem::take(&mut game));
                }
                let (tag, after) = read_tag(rest);
                game.tags.extend(tag);
                (0, after)
            }
            '{' => (rest.find('}').map_or(rest.len(), |end| end + 1), rest),
            ';' => (rest.find('\n').map_or(rest.len(), |end| end + 1), rest),
            '%' if at_line_start(text, rest) => (rest.find('\n').map_or(rest.len(), |end| end + 1), rest),
            '(' => {
                depth += 1;
                (1, rest)
            }
            ')' => {
                depth = depth.saturating_sub(1);
                (1, rest)
            }
            '"' => {
                let (name, length) = read_quoted(rest);
                if depth == 0 {
                    game.moves.push(name);
                }
                (length, rest)
            }
            _ if first.is_whitespace() => (first.len_utf8(), rest),
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "{}();".contains(c)).unwrap_or(rest.len());
                let word = &rest[..end.max(first.len_utf8())];
                if depth == 0 && take_word(&mut game, word) {
                    games.push(std::mem::take(&mut game));
                }
                (word.len(), rest)
            }
        };
        rest = &after[skipped..];
    }
    if !game.moves.is_empty() || !game.tags.is_empty() {
        games.push(game);
    }
    games
}

fn at_line_start(text: &str, rest: &str) -> bool {
    let before = &text[..text.len() - rest.len()];
    before.is_empty() || before.ends_with('\n')
}

/// `[Name "value"]`
fn read_tag(text: &str) -> (Option<(String, String)>, &str) {
    let line_end = text.find('\n').unwrap_or(text.len());
    let (line, after) = text.split_at(line_end);
    let inner = line.trim().trim_start_matches('[').trim_end().trim_end_matches(']');
    let tag = inner.split_once(char::is_whitespace).map(|(name, value)| {
        let value = value.trim().trim_start_matches('"');
        let value = value.strip_suffix('"').unwrap_or(value);
        (name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\"))
    });
    (tag, after)
}

/// What stands between quotes at the start of a text, and how long it is with them.
fn read_quoted(text: &str) -> (String, usize) {
    let mut name = String::new();
    let mut signs = text.char_indices().skip(1);
    while let Some((place, sign)) = signs.next() {
        match sign {
            '"' => return (name, place + 1),
            '\\' => name.extend(signs.next().map(|(_, escaped)| escaped)),
            _ => name.push(sign),
        }
    }
    (name, text.len())
}

/// A word of the moves; true when it ends the game.
fn take_word(game: &mut Pgn, word: &str) -> bool {
    if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
        game.result = word.to_owned();
        return true;
    }
    // `12.` and `12...` may stick to the move; `$3` is an annotation.
    let name = match word.trim_start_matches(|character: char| character.is_ascii_digit()) {
        rest if rest.starts_with('.') => rest.trim_start_matches('.'),
        _ => word,
    };
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = name.starts_with('$') || name.chars().all(|character| "!?".contains(character));
    if !is_number && !is_sign {
        game.moves.push(name.to_owned());
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::interpreted;

    const GAME: &str = "\
[Event \"A \\\"test\\\"\"]
[Result \"1-0\"]

1. e4 {best by test; [really]} e5 2.Qh5!? (2. Nf3 Nc6 (2... d6)) 2... Nc6 $1 3. Bc4 Nf6 ; careless
4. Qxf7# 1-0

[Event \"Next\"]

*
";

    #[test]
    fn games_are_read_and_replayed() {
        let games = read(GAME);
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tag("Event"), Some("A \"test\""));
        assert_eq!(games[0].moves, ["e4", "e5", "Qh5!?", "Nc6", "Bc4", "Nf6", "Qxf7#"]);
        let game = interpreted!("chess");
        let record = games[0].replay(&game).unwrap();
        let Standing::Finished(outcome, viewer) = record.standing() else { panic!("mate") };
        assert_eq!(outcome.winner(viewer), Some(Colour::White));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let game = interpreted!("chess");
        let knowledge = Knowledge::learn(&game, game.info().start.as_ref().unwrap()).unwrap();
        let record = read(GAME)[0].replay(&game).unwrap();
        let pgn = Pgn::of_record(&record, &knowledge, &[("White", "One"), ("Variant", "chess")]).unwrap();
        let text = pgn.to_string();
        assert!(text.contains("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"), "{text}");
        assert!(text.starts_with("[Event \"?\"]") && text.contains("[Result \"1-0\"]"), "{text}");
        assert_eq!(read(&text), [pgn]);
    }

    #[test]
    fn a_game_may_begin_anywhere() {
        let game = interpreted!("chess");
        let knowledge = Knowledge::learn(&game, game.info().start.as_ref().unwrap()).unwrap();
        let text = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/r7/6K1 b - - 0 1\"]\n\n1... Ra1+ *";
        let record = read(text)[0].replay(&game).unwrap();
        let written = Pgn::of_record(&record, &knowledge, &[]).unwrap().to_string();
        assert!(written.contains("1... Ra1+") && written.contains("[FEN "), "{written}");
    }

    #[test]
    fn games_are_told_from_positions() {
        assert!(is_meant(GAME) && is_meant("1. e4 *") && is_meant("% written by hand\n\n1.e4 e5 *"));
        assert!(!is_meant("# Suite 1.0\n8/8/8/8/8/k7/8/K6R w - - bm Rh3+; id \"suite 1.001\";\n"));
        assert!(!is_meant(""));
    }

    #[test]
    fn nonsense_is_no_game() {
        let game = interpreted!("chess");
        for text in ["", "{", "(((", "[", "[[[\"", "1. e4 {", ")", "\u{1f600}", "%", "1.", "$", "; x"] {
            for pgn in read(text) {
                let _ = pgn.replay(&game);
            }
        }
        assert!(read("1. e5 *")[0].replay(&game).is_err());
        assert!(read("[FEN \"8/8\"]\n\n1. e4 *")[0].replay(&game).is_err());
    }
}
