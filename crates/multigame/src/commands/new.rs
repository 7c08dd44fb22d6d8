//! `multigame new`: a file of rules to begin with.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::Exit;
use crate::cli::Global;
use crate::cli::author::New;

/// A small game that can be played, with its title to be filled in.
const TEMPLATE: &str = include_str!("../template.mg");

pub(super) fn run(options: &New, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let name = options.name.strip_suffix(".mg").unwrap_or(&options.name);
    let path = Path::new(name).with_extension("mg");
    let title = Path::new(name).file_name().and_then(|title| title.to_str()).unwrap_or_default();
    if title.is_empty() || title.starts_with('-') || title.contains(char::is_control) {
        bail!("`{}` is no name for a game: try a word such as `mygame`", options.name.escape_debug());
    }
    let shown = path.display();
    let quoted = as_one_word(&shown.to_string());
    let file = OpenOptions::new().write(true).create_new(true).open(&path);
    let mut file = match file {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("`{shown}` is there already: choose another name, or remove it first")
        }
        other => other.with_context(|| format!("cannot write `{shown}`"))?,
    };
    file.write_all(TEMPLATE.replacen("NAME", title, 1).as_bytes())?;
    if global.json {
        writeln!(out, "{}", json!({ "file": path }))?;
        return Ok(Exit::Success);
    }
    writeln!(
        out,
        "{shown} holds a small game. Change it, and try:\n  \
         multigame check {quoted}   what is wrong with it\n  \
         multigame test {quoted}    whether it does what its comments say\n  \
         multigame play {quoted}    a game against the computer"
    )?;
    Ok(Exit::Success)
}

/// A name as a shell takes it for one word.
fn as_one_word(name: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "_-./\\:".contains(sign);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_are_quoted() {
        assert_eq!(as_one_word("games/mygame.mg"), "games/mygame.mg");
        assert_eq!(as_one_word("my game.mg"), "'my game.mg'");
        assert_eq!(as_one_word("it's.mg"), "'it'\\''s.mg'");
    }
}
