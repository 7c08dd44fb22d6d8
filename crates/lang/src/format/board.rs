//! The rows of a setup: they move to the right place together, and are not touched otherwise.

/// The rows with the line ends or blanks around them, as they stand between `{` and `}`.
pub(super) fn layout(rows: &str, indent: usize) -> String {
    let Some((first, rest)) = rows.split_once('\n') else { return format!(" {} ", rows.trim()) };
    if !first.trim().is_empty() {
        // Rows that begin behind the bracket: how they stand to the others is not for us to say.
        return rows.to_owned();
    }
    let lines = || rest.lines().map(|line| line.trim_end_matches('\r'));
    let margin = |line: &str| line.bytes().take_while(|byte| *byte == b' ').count();
    let common = lines().filter(|line| !line.trim().is_empty()).map(margin).min().unwrap_or(0);
    let mut text = String::with_capacity(rows.len() + 1);
    text.push('\n');
    for line in lines() {
        if !line.trim().is_empty() {
            text.extend(std::iter::repeat_n(' ', indent));
            text.push_str(&line[common..]);
        }
        text.push('\n');
    }
    text
}
