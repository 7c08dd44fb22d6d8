//! Comments that look like expectations and are none: a colon is missing, or the key is not quite one. They would be
//! passed over in silence, and what was expected would never be checked.

use lang::diagnostic::nearest;

use super::{Failure, KEYS};

/// Words of English that are near a key by chance, and begin comments of their own.
const ORDINARY: [&str; 6] = ["later", "default", "perfect", "valid", "mover", "modes"];

/// The comments of a program that are almost expectations: the line, from 1, and what is wrong with it.
#[must_use]
pub fn near_misses(text: &str) -> Vec<Failure> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix('#').map(str::trim) else { continue };
        let (word, rest) = comment.split_at(comment.find([' ', ':']).unwrap_or(comment.len()));
        let rest = rest.trim_start();
        let (has_colon, value) = match rest.strip_prefix(':') {
            Some(value) => (true, value.trim()),
            None => (false, rest),
        };
        let Some(meant) = meant_key(word, value) else { continue };
        let is_key = matches!(meant, Meant::Key(key) if key == word);
        if (has_colon && !is_key) || (!has_colon && meant.fits(value)) {
            let message = format!("`# {comment}` is not checked: {}", meant.advice());
            found.push(Failure { line: number + 1, message, unchecked: 0 });
        }
    }
    found
}

/// What a word was meant to say.
#[derive(Clone, Copy)]
enum Meant {
    /// This key.
    Key(&'static str),
    /// `move`: one that was played, or one that is legal.
    Moves,
}

impl Meant {
    fn advice(self) -> String {
        match self {
            Meant::Key(key) => format!("write `# {key}: …`"),
            Meant::Moves => {
                "write `# after: …` for moves that are played, `# moves: …` for all that are legal".to_owned()
            }
        }
    }

    /// Whether a text that follows without a colon is no prose, but a value of the key.
    fn fits(self, value: &str) -> bool {
        let all =
            |wanted: fn(&str) -> bool| !value.is_empty() && value.split(',').all(|part| wanted(part.trim()));
        match self {
            Meant::Key("perft" | "explore") => {
                value.contains(|one: char| one.is_ascii_digit())
                    && value.chars().all(|one| one.is_ascii_digit() || " ,".contains(one))
            }
            Meant::Key("after" | "moves" | "long" | "forcing") | Meant::Moves => all(is_like_a_move),
            Meant::Key("finished") => OUTCOMES.contains(&value),
            Meant::Key("standing") => STANDINGS.contains(&value),
            Meant::Key("position" | "notation") => {
                value.contains('/')
                    && value.split_whitespace().nth(1).is_some_and(|word| word == "w" || word == "b")
            }
            Meant::Key("error") => {
                value.len() == 4 && value.starts_with('E') && value[1..].parse::<u16>().is_ok()
            }
            Meant::Key("value") => value.parse::<i64>().is_ok(),
            // `setup`, `refused` and `fault` are followed by words, as in prose.
            Meant::Key(_) => false,
        }
    }
}

const OUTCOMES: [&str; 3] = ["win", "draw", "loss"];
const STANDINGS: [&str; 5] = ["open", "white wins", "black wins", "drawn", "solved"];

/// `a1b2`, `e4`, `Nf3`: letters and digits in one word.
fn is_like_a_move(text: &str) -> bool {
    let has = |wanted: fn(&char) -> bool| text.chars().any(|one| wanted(&one));
    text.len() <= 12
        && has(char::is_ascii_lowercase)
        && has(char::is_ascii_digit)
        && text.chars().all(|one| one.is_ascii_alphanumeric() || "-x=@+#".contains(one))
}

/// The key that a word was meant to be, if it is one, or close to one, or another word for it.
fn meant_key(word: &str, value: &str) -> Option<Meant> {
    let word = word.to_ascii_lowercase();
    let exact = |word: &str| KEYS.into_iter().find(|key| *key == word);
    let key = match word.as_str() {
        "move" => return Some(Meant::Moves),
        "result" | "outcome" if OUTCOMES.contains(&value) => "finished",
        "result" | "outcome" | "winner" => "standing",
        "played" | "line"
            if !value.is_empty() && value.split(',').all(|part| is_like_a_move(part.trim())) =>
        {
            "after"
        }
        "fen" => "position",
        "legal" => "moves",
        "evaluation" | "eval" => "value",
        _ if ORDINARY.contains(&word.as_str()) => return None,
        word => exact(word).or_else(|| exact(word.trim_end_matches('s'))).or_else(|| nearest(word, KEYS))?,
    };
    Some(Meant::Key(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missed(text: &str) -> Vec<String> {
        near_misses(text).into_iter().map(|one| one.message).collect()
    }

    #[test]
    fn comments_that_are_almost_expectations() {
        assert_eq!(missed("# perft 9, 72"), ["`# perft 9, 72` is not checked: write `# perft: …`"]);
        assert_eq!(missed("# Perft: 9"), ["`# Perft: 9` is not checked: write `# perft: …`"]);
        assert_eq!(missed("# perfts: 9").len(), 1);
        assert_eq!(missed("# move: a1").len(), 1);
        assert_eq!(missed("# perft: 9\n# moves: a1\n# position of 3 stones\n# perft of a child").len(), 0);
    }

    #[test]
    fn keys_that_are_misspelt() {
        for (text, key) in [
            ("# finnished: loss", "finished"),
            ("# postion: 3/3/3 w", "position"),
            ("# afetr: a1a2", "after"),
            ("# standng: open", "standing"),
            ("# result: loss", "finished"),
            ("# result: white wins", "standing"),
            ("# moves a1a2, a1b2", "moves"),
            ("# after a1a2", "after"),
            ("# afetr a1a2", "after"),
            ("# finished loss", "finished"),
            ("# Standing open", "standing"),
            ("# position 1O1/O1O/3 w", "position"),
            ("# exlpore: 1, 4", "explore"),
        ] {
            let expected = format!("`{text}` is not checked: write `# {key}: …`");
            assert_eq!(missed(text), [expected], "{text}");
        }
        let both = "write `# after: …` for moves that are played, `# moves: …` for all that are legal";
        assert_eq!(missed("# move: a1a2"), [format!("`# move: a1a2` is not checked: {both}")]);
    }

    #[test]
    fn prose_is_left_alone() {
        for text in [
            "# rules: a man moves on",
            "# note: after the first move all is lost",
            "# moves of the king: one step",
            "# after 3 moves the game is over",
            "# position of the king",
            "# setup with two kings",
            "# later: castling",
            "# forcing moves come first",
            "# value of a piece",
            "# move",
            "# moves",
            "# the moves: all of them",
            "#",
            "# :",
        ] {
            assert_eq!(missed(text), [""; 0], "{text}");
        }
    }
}
