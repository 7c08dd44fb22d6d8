//! The page `docs/games.md`: made from the headers of the games and from recorded random games. What the page
//! says beside that is in `catalogue/preface.md`.

use std::fmt::Write;

use crate::library::{Description, FAMILIES};
use crate::terminal::wrapped;

const PREFACE: &str = include_str!("catalogue/preface.md");

/// The whole page.
pub(crate) fn page(entries: &[Description]) -> String {
    let mut page = PREFACE.replace("{OVERVIEW}\n", &overview(entries));
    for (family, title, about) in FAMILIES {
        let _ = writeln!(page, "\n## {title}\n\n{}.", capitalised(about));
        for entry in entries.iter().filter(|entry| entry.family == family) {
            let _ = write!(page, "\n{}", section(entry));
        }
    }
    page
}

/// A table of the families.
fn overview(entries: &[Description]) -> String {
    let mut table =
        "| family | games | lines of rules, median | greatest | names |\n|---|--:|--:|--:|---|\n".to_owned();
    let all = FAMILIES.map(|(family, title, _)| (Some(family), format!("[{title}](#{})", anchor(title))));
    for (family, title) in all.into_iter().chain([(None, "all".to_owned())]) {
        let chosen: Vec<&Description> =
            entries.iter().filter(|entry| family.is_none_or(|family| entry.family == family)).collect();
        let mut lines: Vec<usize> = chosen.iter().map(|entry| entry.lines).collect();
        lines.sort_unstable();
        let names: Vec<String> = chosen.iter().map(|entry| format!("`{}`", entry.name)).collect();
        let names = if family.is_some() { names.join(", ") } else { String::new() };
        let (median, most) = (median(&lines), lines.last().copied().unwrap_or(0));
        let _ = writeln!(table, "| {title} | {} | {median} | {most} | {names} |", chosen.len());
    }
    table
}

/// The middle of sorted numbers, the greater one of two.
fn median(sorted: &[usize]) -> usize {
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

/// How Markdown readers name a heading.
fn anchor(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// What is known about one game.
pub(crate) fn section(entry: &Description) -> String {
    let rules = wrapped(&entry.rules, LINE_MAX).join("\n");
    let mut section = format!("### {} (`{}`)\n\n{rules}\n\n", entry.title, entry.name);
    for (key, text) in facts(entry).into_iter().filter(|(key, _)| *key != "rules") {
        let fact = wrapped(&format!("- **{key}**: {text}"), LINE_MAX - 2).join("\n  ");
        let _ = writeln!(section, "{fact}");
    }
    section
}

/// The longest line of a page.
const LINE_MAX: usize = 120;

/// The facts about a game with their names.
pub(crate) fn facts(entry: &Description) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("players", entry.players.to_string()),
        ("board", entry.board_in_words()),
        ("origin", entry.origin.clone()),
        ("rules", entry.rules.clone()),
        ("not covered", entry.not_covered.clone()),
        ("checked", entry.checked.clone()),
        ("lines", entry.lines.to_string()),
    ];
    if !entry.setups.is_empty() {
        let names: Vec<String> = entry.setups.iter().map(|name| format!("setup:{name}")).collect();
        facts.push(("also", format!("--position {}", names.join(", "))));
    }
    if let Some(played) = &entry.self_play {
        facts.push(("random games", played.in_words(entry.players)));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn the_page_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/games.md");
        let written = std::fs::read_to_string(path).unwrap_or_default().replace('\r', "");
        let (mut old, page) = (written.lines(), page(&library::entries()));
        for (number, line) in (1..).zip(page.lines()) {
            let advice = "write it anew: cargo run -- games --markdown > docs/games.md";
            assert_eq!(old.next(), Some(line), "docs/games.md, line {number}; {advice}");
        }
        assert_eq!(old.next(), None, "docs/games.md is longer than it should be");
    }

    #[test]
    fn every_family_has_games_and_every_game_is_on_the_page() {
        let entries = library::entries();
        let page = page(&entries);
        for (family, title, _) in FAMILIES {
            assert!(entries.iter().any(|entry| entry.family == family), "{family}");
            assert!(page.contains(&format!("](#{})", anchor(title))), "{title}");
        }
        for entry in &entries {
            assert!(page.contains(&format!("### {} (`{}`)", entry.title, entry.name)), "{}", entry.name);
        }
    }
}
