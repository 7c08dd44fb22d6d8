//! The house stays easy to change: no file and no function grows beyond what a person can look over. What comes here
//! has a seam somewhere.

#![allow(clippy::unwrap_used)] // tests are free to

use std::path::{Path, PathBuf};

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 80;

/// All files of Rust code below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The functions of a text in the usual layout: where they begin, their first lines, and how many lines they have.
fn functions(text: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let mut words = line.trim_start().split([' ', '(']);
        let before = |word: &&str| {
            matches!(*word, "pub" | "crate)" | "super)" | "const" | "unsafe" | "async" | "extern" | "\"C\"")
        };
        if words.by_ref().find(|word| !before(word)) != Some("fn") || line.ends_with(['}', ';']) {
            continue;
        }
        let is_end = |line: &&&str| {
            let (blanks, rest) = line.split_at(indent.min(line.len()));
            blanks.trim().is_empty()
                && (rest.starts_with('}') || rest.starts_with(|first| first != ' ') && rest.ends_with(';'))
        };
        let length = lines[number + 1..].iter().position(|line| is_end(&line)).map_or(0, |length| length + 2);
        functions.push((number + 1, line.trim(), length));
    }
    functions
}

#[test]
fn files_and_functions_can_be_looked_over() {
    let (mut found, mut most) = (Vec::new(), 0);
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut found);
    for path in &found {
        let text = std::fs::read_to_string(path).unwrap();
        let lines = text.lines().count();
        assert!(lines <= FILE_LINES_MAX, "{} has {lines} lines", path.display());
        for (line, first, length) in functions(&text) {
            assert!(length <= FUNCTION_LINES_MAX, "{}:{line}: {length} lines: {first}", path.display());
            most = most.max(length);
        }
    }
    assert!(found.len() > 300 && most > 60, "{} files, {most} lines: functions are not found", found.len());
}
