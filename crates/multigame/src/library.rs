//! The games and suites of test positions that come with the program. They are part of it: an installed binary needs
//! no files.

use std::path::Path;

use anyhow::{Result, bail};
use include_dir::{Dir, include_dir};
use lang::Source;
use lang::diagnostic::did_you_mean;

use crate::files;

use crate::self_play::SelfPlay;

static GAMES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../games");
static DOCS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../docs");
static EXPERIMENTS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");
static SUITES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../suites");

/// The families of games: as the header `# family:` calls one, as a heading, and what its games are about. In
/// the order of the catalogue.
pub(crate) const FAMILIES: [(&str, &str, &str); 10] = [
    ("chess", "Chess and its relatives", "many kinds of pieces, a king to be mated or raced home"),
    ("draughts", "Draughts", "jumping over what is captured"),
    ("rows", "Rows and mills", "a number of pieces in a row"),
    ("connection", "Connection", "pieces that hang together"),
    ("territory", "Territory", "more of the board, or the last place to go"),
    ("capture and chase", "Capture and chase", "taking the other side's pieces, or catching one"),
    ("race", "Races", "being the first to arrive"),
    ("counting", "Counting", "seeds and matches"),
    ("puzzle", "Puzzles", "one player"),
    ("no player", "Without players", "nothing to decide"),
];

/// A game of the library, as its header describes it.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    /// The name by which it is asked for.
    pub(crate) name: String,
    /// How people call it.
    pub(crate) title: String,
    /// One of [`FAMILIES`].
    pub(crate) family: String,
    /// The board in words, where columns and rows do not say it.
    pub(crate) shape: String,
    /// Who made it, where and when.
    pub(crate) origin: String,
    /// The rules in words.
    pub(crate) rules: String,
    /// What of the rules is not in the program.
    pub(crate) not_covered: String,
    /// How we know that it is right.
    pub(crate) checked: String,
    /// 0, 1 or 2.
    pub(crate) players: i64,
    /// Columns and rows.
    pub(crate) dimensions: (i64, i64),
    /// Names of the further start positions.
    pub(crate) setups: Vec<String>,
    /// Lines that are neither blank nor a comment.
    pub(crate) lines: usize,
    /// What random games were like.
    pub(crate) self_play: Option<SelfPlay>,
}

impl Description {
    /// `8x8`
    pub(crate) fn board(&self) -> String {
        format!("{}x{}", self.dimensions.0, self.dimensions.1)
    }

    /// The board in words, or columns and rows if those say it all.
    pub(crate) fn board_in_words(&self) -> String {
        if self.shape.is_empty() { self.board() } else { self.shape.clone() }
    }

    /// The first sentence of the rules.
    pub(crate) fn summary(&self) -> &str {
        self.rules.split_inclusive(". ").next().unwrap_or("").trim_end()
    }
}

/// The names of all games, in alphabetical order.
pub(crate) fn names() -> Vec<&'static str> {
    let files = GAMES.files().filter(|file| file.path().extension().is_some_and(|ending| ending == "mg"));
    let mut names: Vec<&str> = files.filter_map(|file| file.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The rules of a game.
pub(crate) fn source(name: &str) -> Option<Source> {
    let path = format!("{name}.mg");
    let text = GAMES.get_file(&path)?.contents_utf8()?;
    Some(Source::new(path, text))
}

/// The documentation: names and texts in the order of `docs/SUMMARY.md`, without the notes of measurements.
pub(crate) fn documents() -> Vec<(&'static str, &'static str)> {
    let text = |name: &str| DOCS.get_file(format!("{name}.md"))?.contents_utf8();
    let summary = text("SUMMARY").unwrap_or_default();
    let links = summary.lines().filter_map(|line| line.split_once("](")?.1.split_once(".md)"));
    let pages = links.filter(|(name, _)| !name.contains('/'));
    pages.filter_map(|(name, _)| Some((name, text(name)?))).collect()
}

/// The figures of an experiment that was made for this program.
pub(crate) fn figures(file: &str) -> Option<&'static str> {
    EXPERIMENTS.get_file(file)?.contents_utf8()
}

/// A picture of the documentation.
pub(crate) fn picture(name: &str) -> Option<&'static [u8]> {
    DOCS.get_file(format!("pictures/{name}")).map(include_dir::File::contents)
}

fn stem(path: &Path) -> Option<String> {
    path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned)
}

/// The text of a suite of test positions, or of a file; nothing if there is neither of this name.
pub(crate) fn find_suite(name: &str) -> Result<Option<String>> {
    let own = SUITES.files().find(|file| stem(file.path()).is_some_and(|stem| stem == name));
    if let Some(text) = own.and_then(|file| file.contents_utf8()) {
        return Ok(Some(text.to_owned()));
    }
    let path = Path::new(name);
    let is_file = name == "-" || path.exists() || name.contains(['/', '\\', '.']);
    is_file.then(|| files::read_text(path)).transpose()
}

/// The text of a suite of test positions: one that comes with the program, or a file.
pub(crate) fn suite(name: &str) -> Result<String> {
    if let Some(text) = find_suite(name)? {
        return Ok(text);
    }
    let positions =
        SUITES.files().filter(|file| file.path().extension().is_some_and(|ending| ending != "csv"));
    let mut names: Vec<String> = positions.filter_map(|file| stem(file.path())).collect();
    names.sort_unstable();
    let hint = did_you_mean(name, names.iter().map(String::as_str));
    let hint = hint.unwrap_or_else(|| format!("there are {}; or give a path to a file", names.join(", ")));
    bail!("there is no suite `{}`: {hint}", name.chars().take(60).collect::<String>())
}

/// All games.
pub(crate) fn entries() -> Vec<Description> {
    names().into_iter().filter_map(|name| Some(entry(name, &source(name)?))).collect()
}

fn entry(name: &str, source: &Source) -> Description {
    let header = header(&source.text);
    let find = |wanted: &str| {
        header.iter().find(|(key, _)| key == wanted).map(|(_, text)| text.clone()).unwrap_or_default()
    };
    let tree = lang::parse(source).tree;
    let title = find("title");
    Description {
        name: name.to_owned(),
        title: if title.is_empty() { name.to_owned() } else { title },
        family: find("family"),
        shape: find("board"),
        origin: find("origin"),
        rules: find("rules"),
        not_covered: find("not covered"),
        checked: find("checked"),
        players: tree.player_count(),
        dimensions: tree.dimensions.as_ref().map_or((0, 0), |(columns, rows)| (columns.value, rows.value)),
        setups: tree.setups.iter().filter_map(|setup| Some(setup.name.as_ref()?.value.clone())).collect(),
        lines: lines_of_rules(&source.text),
        self_play: SelfPlay::recorded(name),
    }
}

/// Lines that are neither blank nor a comment, start positions included. Inside a setup a line that begins with
/// `#` is a row of the board if a piece looks like that.
fn lines_of_rules(text: &str) -> usize {
    let hash_is_a_piece = text.contains("'#'");
    let (mut lines, mut in_setup) = (0, false);
    for line in text.lines().map(str::trim) {
        if line.starts_with("setup") {
            in_setup = true;
        }
        let comment = line.starts_with('#') && !(in_setup && hash_is_a_piece);
        lines += usize::from(!line.is_empty() && !comment);
        in_setup &= !line.ends_with('}');
    }
    lines
}

/// The comments `# key: text` at the head of a game; a line without a key continues the one before.
fn header(text: &str) -> Vec<(String, String)> {
    let mut entries: Vec<(String, String)> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix('#')) {
        let key = line.split_once(':').filter(|(key, _)| !key.starts_with("  "));
        match (key, entries.last_mut()) {
            (Some((key, text)), _) => entries.push((key.trim().to_owned(), text.trim().to_owned())),
            (None, Some((_, text))) => {
                text.push(' ');
                text.push_str(line.trim());
            }
            (None, None) => {}
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_header_and_a_setup() {
        assert!(names().contains(&"chess"));
        for entry in entries() {
            for (key, text) in [
                ("title", &entry.title),
                ("family", &entry.family),
                ("origin", &entry.origin),
                ("rules", &entry.rules),
                ("not covered", &entry.not_covered),
                ("checked", &entry.checked),
            ] {
                assert!(!text.is_empty(), "games/{}.mg has no `# {key}:`", entry.name);
            }
            assert!(FAMILIES.iter().any(|(family, ..)| *family == entry.family), "{}", entry.family);
            let source = source(&entry.name).unwrap();
            assert!(!lang::parse(&source).tree.setups.is_empty(), "games/{}.mg has no setup", entry.name);
        }
    }

    /// A line that continues another without its blanks would be a key, or a part of the wrong text.
    #[test]
    fn header_lines_have_a_known_key_or_continue() {
        const KEYS: [&str; 7] = ["title", "family", "board", "origin", "rules", "not covered", "checked"];
        for name in names() {
            let text = source(name).unwrap().text;
            for line in text.lines().map_while(|line| line.strip_prefix('#')) {
                let key = line.strip_prefix(' ').and_then(|line| line.split_once(": "));
                let is_known = key.is_some_and(|(key, _)| KEYS.contains(&key));
                assert!(
                    is_known || line.starts_with("   "),
                    "games/{name}.mg: `#{line}` is no line of a header"
                );
            }
        }
    }

    #[test]
    fn lines_of_rules_are_counted() {
        assert_eq!(lines_of_rules("# a\n\nsides = 1 # b\nmain = draw.\n"), 2);
        assert_eq!(lines_of_rules("pieces { wall '#' }\n# no\nsetup\n{\n  ##\n}\n# no\n"), 5);
    }

    #[test]
    fn rules_are_short() {
        let mut lines: Vec<usize> = entries().iter().map(|entry| entry.lines).collect();
        lines.sort_unstable();
        assert!(lines[lines.len() / 2] < 60 && lines[lines.len() - 1] <= 270, "{lines:?}");
    }

    #[test]
    fn header_lines_continue() {
        let text = "# title: A\n# rules: One: two\n#   three.\n\n# other: x";
        let expected = [("title", "A"), ("rules", "One: two three.")];
        assert_eq!(header(text), expected.map(|(key, text)| (key.to_owned(), text.to_owned())));
    }
}
