//! What documents say about the command line is true: every command in a block marked `sh` can be read by it.

use std::path::{Path, PathBuf};

use clap::Parser;

use super::Cli;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages: those at the root, the book, and what stands beside code, scripts and networks.
fn pages() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    for folder in ["", "docs", "docs/notes"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    for folder in ["crates", "scripts", "networks"] {
        readmes(&root().join(folder), &mut paths);
    }
    paths.sort();
    let name = |path: &Path| path.strip_prefix(root()).unwrap().display().to_string();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The pages `README.md` below a folder.
fn readmes(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            readmes(&path, paths);
        } else if path.ends_with("README.md") {
            paths.push(path);
        }
    }
}

/// Wordings that are not idiomatic English, or that plainer words say better.
const STIFF: [&str; 20] = [
    "of now",
    "of today",
    "nobody",
    "whoever",
    "somebody",
    "everybody",
    "thousand million",
    "thousands of millions",
    "in the mean.",
    "in the mean,",
    "in the mean ",
    "of a processor)",
    "seconds are of a processor",
    "s of a processor ",
    "seconds of a processor",
    "believes to be",
    "befell",
    " an own ",
    "the own ",
    "programs of others",
];

#[test]
fn lines_are_short_and_words_are_plain() {
    for (page, text) in &pages() {
        for (number, line) in (1..).zip(text.lines()) {
            let is_table = line.starts_with('|');
            assert!(is_table || line.chars().count() <= 120, "{page}:{number}: longer than 120 characters");
            for word in STIFF {
                assert!(!line.to_lowercase().contains(word), "{page}:{number}: `{word}`");
            }
        }
    }
}

#[test]
fn the_book_has_every_page_and_every_link_leads_somewhere() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for (page, text) in pages() {
        let folder = root().join(&page).parent().unwrap().to_owned();
        if let Some(name) = page.strip_prefix("docs/").filter(|name| *name != "SUMMARY.md") {
            assert!(summary.contains(&format!("]({name})")), "docs/SUMMARY.md does not list {name}");
        }
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap();
            let is_file = !target.is_empty() && !target.contains(':') && !target.contains(' ');
            assert!(!is_file || folder.join(target).exists(), "{page}: there is no `{target}`");
        }
    }
}

/// The words of a command line, up to a comment, a pipe or a redirection.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '#' | '|' | '>' | '<' | '&') if word.is_none() => break,
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The commands for the program in the blocks of a page that are marked `sh`.
fn commands(text: &str) -> Vec<String> {
    let (mut commands, mut inside) = (Vec::new(), false);
    let joined = text.replace("\\\n", " ");
    for line in joined.lines().map(str::trim) {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => {
                let own = ["cargo run --release -- ", "multigame "]
                    .into_iter()
                    .find_map(|own| line.strip_prefix(own));
                commands.extend(own.map(str::to_owned));
            }
        }
    }
    commands
}

#[test]
fn every_command_of_the_documents_is_understood() {
    let mut read = 0;
    for (page, text) in pages() {
        for command in commands(&text) {
            let words = ["multigame".to_owned()].into_iter().chain(words(&command));
            if let Err(error) = Cli::try_parse_from(words)
                && error.exit_code() != 0
            {
                panic!("{page}: multigame {command}\n{error}");
            }
            read += 1;
        }
    }
    assert!(read > 50, "only {read} commands were found");
}
