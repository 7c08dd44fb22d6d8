//! `multigame games`: the library.

use std::io::Write;

use anyhow::Result;
use serde_json::json;

use crate::Exit;
use crate::cli::{FAINT, Global, STRONG};
use crate::library::{self, Entry};

pub(super) fn run(global: &Global, out: &mut dyn Write) -> Result<Exit> {
    if global.json {
        for entry in library::entries() {
            writeln!(out, "{}", as_json(&entry))?;
        }
    } else {
        list(out, false)?;
    }
    Ok(Exit::Success)
}

fn as_json(entry: &Entry) -> serde_json::Value {
    json!({
        "name": entry.name,
        "title": entry.title,
        "players": entry.players,
        "board": entry.board(),
        "origin": entry.origin,
        "rules": entry.rules,
        "not_covered": entry.not_covered,
        "checked": entry.checked,
        "setups": entry.setups,
    })
}

/// One line for each game, with a number if one is to be chosen.
pub(super) fn list(out: &mut dyn Write, numbered: bool) -> Result<()> {
    let entries = library::entries();
    let widest = |of: &dyn Fn(&Entry) -> usize| entries.iter().map(of).max().unwrap_or(0);
    let name_width = widest(&|entry| entry.name.chars().count());
    let title_width = widest(&|entry| entry.title.chars().count());
    for (index, entry) in entries.iter().enumerate() {
        if numbered {
            write!(out, "{:>3}  ", index + 1)?;
        }
        let players = match entry.players {
            1 => "1 player ".to_owned(),
            players => format!("{players} players"),
        };
        writeln!(
            out,
            "{}{:name_width$}{}  {:title_width$}  {players}  {:>5}  {}{}{}",
            STRONG.render(),
            entry.name,
            STRONG.render_reset(),
            entry.title,
            entry.board(),
            FAINT.render(),
            entry.summary(),
            FAINT.render_reset(),
        )?;
    }
    Ok(())
}
