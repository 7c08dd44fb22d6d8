//! How wide the terminal is, and texts that fit it: lines are broken between words, which a terminal does not do.
//! What goes to a file or a pipe keeps its lines, for programs that read them.

use std::io::IsTerminal;

use terminal_size::{Height, Width, terminal_size_of};

/// How wide lists and messages are: a terminal is hardly ever narrower.
pub(crate) const LINE_MAX: usize = 79;

/// A terminal that is narrower than this gets lines of this width.
const LEAST: usize = 40;

/// The columns that lines may have on the terminal that results are printed on, if it is one: the last one stays free,
/// as some terminals go to the next line with it.
pub(crate) fn columns() -> Option<usize> {
    terminal_size_of(std::io::stdout())
        .map(|(Width(columns), _)| usize::from(columns).saturating_sub(1).max(LEAST))
}

/// Its rows.
pub(crate) fn rows() -> Option<usize> {
    terminal_size_of(std::io::stdout()).map(|(_, Height(rows))| usize::from(rows))
}

/// Whether results go to a terminal that has more than the letters of ASCII.
pub(crate) fn has_unicode() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
    std::io::stdout().is_terminal() && locale.to_ascii_lowercase().replace('-', "").contains("utf8")
}

/// Between a number and its error.
pub(crate) fn plus_minus() -> &'static str {
    if has_unicode() { "±" } else { "+-" }
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
