//! Help for those who write rules: messages, layout, words that may come next.

use lang::{Diagnostic, Severity, Source, Span};
use serde_json::{Value, json};

use crate::host::Host;
use crate::look::Look;

/// Words that can begin or continue a statement, with a word of explanation.
const WORDS: [(&str, &str); 52] = [
    ("find", "point at each field with such a piece"),
    ("points at", "go on if such a piece is here"),
    ("pick up", "take the piece into the hand"),
    ("put down", "put what is in the hand here"),
    ("replace by", "put a new piece here"),
    ("step", "go one field in the direction"),
    ("step backward", "go one field against the direction"),
    ("move to", "point at (column, row)"),
    ("north", "away from the player"),
    ("northeast", "a direction"),
    ("east", "a direction"),
    ("southeast", "a direction"),
    ("south", "towards the player"),
    ("southwest", "a direction"),
    ("west", "a direction"),
    ("northwest", "a direction"),
    ("orthogonal", "each of four directions"),
    ("diagonal", "each of four directions"),
    ("any direction", "each of eight directions"),
    ("turn", "turn by eighths"),
    ("either", "one way or another: either … or …"),
    ("or", "another way"),
    ("try", "this if possible, else that"),
    ("else", "if it is not possible"),
    ("test", "go on if it is possible, change nothing"),
    ("not", "go on if it is not possible"),
    ("while", "while … do …"),
    ("do", "do … while …"),
    ("repeat", "repeat 2 times, repeat 1 .. infinity times"),
    ("times", "of a repeat"),
    ("infinity", "as often as it goes"),
    ("assign", "give properties values"),
    ("assert", "go on if it is true"),
    ("most", "only the results with the greatest value"),
    ("nothing", "do nothing"),
    ("irreversible", "no earlier position can come again"),
    ("forcing", "to be searched when things must become quiet"),
    ("win", "the mover wins"),
    ("loss", "the mover loses"),
    ("draw", "the game is drawn"),
    ("score", "the game ends with points"),
    ("white to move", "go on if white moves"),
    ("black to move", "go on if black moves"),
    ("empty field", "no piece"),
    ("any piece", "whatever piece"),
    ("any field", "whatever is there"),
    ("own", "the mover's"),
    ("opponent's", "the other player's"),
    ("number of", "how many there are"),
    ("column", "of the field, from 1"),
    ("row", "of the field, from 1 at the mover's side"),
    ("place", "the number of the field"),
];

const SECTIONS: [(&str, &str); 12] = [
    ("players = 1", "a puzzle"),
    ("dimensions (8, 8)", "columns and rows"),
    ("sides = 1", "both see the board the same way"),
    ("pieces", "the kinds of pieces"),
    ("properties", "numbers of positions"),
    ("tables", "rows of numbers"),
    ("links", "steps that the grid does not have"),
    ("setup", "where a game begins"),
    ("repetition draw after 3", "what happens when a position comes again"),
    ("notation", "how positions are written"),
    ("evaluation", "what positions are worth"),
    ("appearance", "what the game looks like"),
];

/// All that is wrong; and if nothing is, what the game looks like.
pub(crate) fn check<H: Host>(host: &H, rules: &str) -> Value {
    let source = Source::new("rules", rules);
    match host.check(rules) {
        Ok(checked) => {
            let setups: Vec<&str> = checked.setups.iter().map(|(name, _)| name.as_str()).collect();
            json!({
                "diagnostics": diagnostics(&source, &checked.warnings),
                "playable": checked.info.start.is_some(),
                "look": Look::of(&checked.info, rules),
                "start": checked.info.start.as_ref().map(|start| start.slots().to_vec()),
                "setups": setups,
            })
        }
        Err(found) => json!({ "diagnostics": diagnostics(&source, &found), "playable": false }),
    }
}

fn diagnostics(source: &Source, found: &[Diagnostic]) -> Vec<Value> {
    let one = |diagnostic: &Diagnostic| {
        let Span { start, end } = diagnostic.span;
        let (line, column) = source.line_and_column(start);
        json!({
            "code": diagnostic.code,
            "severity": if diagnostic.severity == Severity::Error { "error" } else { "warning" },
            "from": utf16(&source.text, start),
            "to": utf16(&source.text, end),
            "line": line,
            "column": column,
            "message": diagnostic.message,
            "hint": diagnostic.hint,
            "fix": diagnostic.hint.as_deref().and_then(fix),
        })
    };
    found.iter().map(one).collect()
}

/// What to write in place of the mistake, where the hint says so.
fn fix(hint: &str) -> Option<&str> {
    hint.strip_prefix("did you mean `")?.strip_suffix("`?")
}

/// A place in bytes as browsers count.
fn utf16(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    text[..byte].chars().map(char::len_utf16).sum()
}

/// A place as browsers count in bytes.
fn from_utf16(text: &str, place: usize) -> usize {
    let mut units = 0;
    for (byte, letter) in text.char_indices() {
        if units >= place {
            return byte;
        }
        units += letter.len_utf16();
    }
    text.len()
}

/// Words that may stand at a place: statements and what the rules themselves declare.
pub(crate) fn complete(rules: &str, at: usize) -> Value {
    let at = from_utf16(rules, at);
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let start = rules[..at].char_indices().rev().take_while(|(_, letter)| is_part(*letter)).last();
    let start = start.map_or(at, |(byte, _)| byte);
    let prefix = &rules[start..at];
    let tree = lang::parse(&Source::new("rules", rules)).tree;
    let at_margin = start == 0 || rules[..start].ends_with('\n');
    let mut words: Vec<(String, String)> = Vec::new();
    let mut add = |word: &str, what: &str| {
        let known = words.iter().any(|(own, _)| own == word);
        if word.starts_with(prefix) && word != prefix && !known {
            words.push((word.to_owned(), what.to_owned()));
        }
    };
    if at_margin {
        SECTIONS.iter().for_each(|(word, what)| add(word, what));
    }
    tree.functions.iter().for_each(|rule| add(&rule.name.value, "rule"));
    tree.pieces.iter().for_each(|piece| add(&piece.name.value, "piece"));
    tree.properties.iter().for_each(|property| add(&property.name.value, "property"));
    tree.tables.iter().for_each(|table| add(&table.name.value, "table"));
    WORDS.iter().for_each(|(word, what)| add(word, what));
    words.truncate(40);
    let words: Vec<Value> =
        words.into_iter().map(|(word, what)| json!({ "word": word, "what": what })).collect();
    json!({ "from": utf16(rules, start), "words": words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_from_the_language_and_from_the_rules() {
        let rules = "pieces { spoon 'S' 's' }\nmain = find own sp";
        let found = complete(rules, rules.len());
        assert_eq!(found["words"][0]["word"], "spoon");
        let found = complete("di", 2);
        assert_eq!(found["words"][0]["word"], "dimensions (8, 8)");
        assert_eq!(complete("é fin", 5)["words"][0]["word"], "find");
    }

    #[test]
    fn places_are_counted_as_browsers_count() {
        let text = "a€😀b";
        for byte in [0, 1, 4, 8, 9] {
            assert_eq!(from_utf16(text, utf16(text, byte)), byte);
        }
        assert_eq!(utf16(text, 8), 4);
        assert_eq!(from_utf16(text, 999), text.len());
    }

    #[test]
    fn hints_that_name_a_word_become_fixes() {
        assert_eq!(fix("did you mean `find`?"), Some("find"));
        assert_eq!(fix("add `}`"), None);
    }
}
