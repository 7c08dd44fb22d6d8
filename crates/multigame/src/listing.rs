//! Names of moves in columns of one width, as many as a terminal has room for.

use crate::numbers::grouped;
use crate::terminal::LINE_MAX;

/// Rows of a list on a terminal: a game may have a thousand moves, and the board shall stay in sight.
const ROWS_MAX: usize = 12;

/// All of them.
pub(crate) fn in_columns(names: &[String]) -> String {
    rows(names, usize::MAX)
}

/// As many as a person at a terminal may want to read.
pub(crate) fn shortened(names: &[String]) -> String {
    rows(names, ROWS_MAX)
}

fn rows(names: &[String], rows_max: usize) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 2;
    let count = ((LINE_MAX + 2) / width).clamp(1, 10);
    let mut text = String::new();
    for row in names.chunks(count).take(rows_max) {
        let line: String = row.iter().map(|name| format!("{name:<width$}")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let left = names.len().saturating_sub(rows_max.saturating_mul(count));
    if left > 0 {
        text.push_str(&format!("… and {} more; `legal long` shows all\n", grouped(left as u64)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wider_than_a_terminal() {
        let names = ["a1", "b10", "a2 -> a3; b2 -> b3"].map(str::to_owned);
        assert_eq!(in_columns(&names), "a1                  b10                 a2 -> a3; b2 -> b3\n");
        let many = vec!["stones a1 = 4; stones b1 = 7".to_owned(); 9];
        assert!(in_columns(&many).lines().all(|line| line.len() <= LINE_MAX));
        assert_eq!(in_columns(&vec!["a1".to_owned(); 11]).lines().count(), 2);
    }

    #[test]
    fn long_lists_are_shortened() {
        let names = vec!["a1a2".to_owned(); 2_176];
        let text = shortened(&names);
        assert_eq!(text.lines().count(), ROWS_MAX + 1);
        assert_eq!(text.lines().last(), Some("… and 2,056 more; `legal long` shows all"));
        assert_eq!(in_columns(&names).lines().count(), 218);
        assert_eq!(shortened(&names[..20]), in_columns(&names[..20]));
    }
}
