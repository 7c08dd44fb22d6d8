//! How wide the terminal is, and texts that fit it: lines are broken between words, which a terminal does not do.
//! What goes to a file or a pipe keeps its lines, for programs that read them.

use terminal_size::{Width, terminal_size_of};

/// A terminal that is narrower than this gets lines of this width.
const LEAST: usize = 40;

/// The columns of the terminal that results are printed on, if it is one.
pub(crate) fn columns() -> Option<usize> {
    terminal_size_of(std::io::stdout()).map(|(Width(columns), _)| usize::from(columns).max(LEAST))
}

/// The same of the one that messages are printed on.
pub(crate) fn message_columns() -> Option<usize> {
    terminal_size_of(std::io::stderr()).map(|(Width(columns), _)| usize::from(columns).max(LEAST))
}

/// Lines of words, no longer than this if the words allow it.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A text with a margin: the lines after the first one begin below it.
pub(crate) fn with_margin(margin: usize, text: &str, columns: usize) -> String {
    let lines = wrapped(text, columns.saturating_sub(margin).max(LEAST / 2));
    lines.join(&format!("\n{:margin$}", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two  three", 8), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible", 8), ["incomprehensible"]);
        assert_eq!(wrapped("", 8), [""]);
        assert_eq!(with_margin(2, "some words for a narrow line", 24), "some words for a\n  narrow line");
    }
}
