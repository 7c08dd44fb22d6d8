//! `multigame games`: the library, in short, one game in full, as JSON or as the page `docs/games.md`.

use std::io::Write;

use anyhow::{Result, bail};
use lang::diagnostic::did_you_mean;
use serde_json::json;

use super::selfplay;
use crate::cli::{FAINT, Games, Global, STRONG};
use crate::library::{self, Description};
use crate::{Exit, catalogue, terminal};

pub(super) fn run(options: &Games, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let chosen = options.name.as_deref().map(find).transpose()?;
    if let (Some(entry), true) = (&chosen, options.source) {
        let text = library::source(&entry.name).map(|source| source.text).unwrap_or_default();
        match global.json {
            true => writeln!(out, "{}", json!({ "name": entry.name, "source": text }))?,
            false => write!(out, "{text}")?,
        }
        return Ok(Exit::Success);
    }
    match (chosen, options.markdown) {
        (None, true) => write!(out, "{}", catalogue::page(&library::entries()))?,
        (Some(entry), true) => write!(out, "{}", catalogue::section(&entry))?,
        (Some(entry), false) if global.json => writeln!(out, "{}", as_json(&entry))?,
        (Some(entry), false) => describe(&entry, out)?,
        (None, false) if global.json => {
            for entry in library::entries() {
                writeln!(out, "{}", as_json(&entry))?;
            }
        }
        (None, false) => {
            list(out)?;
            writeln!(out, "\n`multigame games NAME` tells all about one of them.")?;
        }
    }
    Ok(Exit::Success)
}

/// Tells all about one game; false if there is none of this name.
pub(super) fn tell(name: &str, out: &mut dyn Write) -> Result<bool> {
    let found = library::entries().into_iter().find(|entry| entry.name == name);
    found.map_or(Ok(false), |entry| describe(&entry, out).map(|()| true))
}

fn find(name: &str) -> Result<Description> {
    let found = library::entries().into_iter().find(|entry| entry.name == name);
    found.map_or_else(
        || {
            let hint =
                did_you_mean(name, library::names()).unwrap_or("`multigame games` lists them".to_owned());
            bail!("there is no game `{}` in the library: {hint}", name.chars().take(60).collect::<String>())
        },
        Ok,
    )
}

fn as_json(entry: &Description) -> serde_json::Value {
    json!({
        "name": entry.name,
        "title": entry.title,
        "family": entry.family,
        "players": entry.players,
        "board": entry.board(),
        "board_in_words": entry.board_in_words(),
        "origin": entry.origin,
        "rules": entry.rules,
        "not_covered": entry.not_covered,
        "checked": entry.checked,
        "setups": entry.setups,
        "lines": entry.lines,
        "self_play": entry.self_play.as_ref().map(selfplay::as_json),
    })
}

/// Where it is not known how wide a page is.
const COLUMNS_USUAL: usize = 79;
/// Room for the names of facts.
const MARGIN: usize = 15;

/// All about one game.
fn describe(entry: &Description, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}{}{} ({})", STRONG.render(), entry.title, STRONG.render_reset(), entry.name)?;
    let columns = terminal::columns().unwrap_or(COLUMNS_USUAL);
    for (key, text) in catalogue::facts(entry) {
        let text = terminal::with_margin(MARGIN, &text, columns);
        writeln!(out, "  {}{key:13}{}{text}", FAINT.render(), FAINT.render_reset())?;
    }
    let name = &entry.name;
    writeln!(out, "\nplay it: multigame play {name}; read its rules: multigame games {name} --source")?;
    Ok(())
}

/// One line for each game; on a terminal, what there is to say about it stands below.
fn list(out: &mut dyn Write) -> Result<()> {
    let entries = library::entries();
    let widest = |of: &dyn Fn(&Description) -> usize| entries.iter().map(of).max().unwrap_or(0);
    let name_width = widest(&|entry| entry.name.chars().count());
    let title_width = widest(&|entry| entry.title.chars().count());
    let columns = terminal::columns();
    for entry in &entries {
        let players = match entry.players {
            1 => "1 player ".to_owned(),
            players => format!("{players} players"),
        };
        let summary = match columns {
            Some(columns) => format!("\n    {}", terminal::with_margin(4, entry.summary(), columns)),
            None => format!("  {}", entry.summary()),
        };
        writeln!(
            out,
            "{}{:name_width$}{}  {:title_width$}  {players}  {:>5}{}{summary}{}",
            STRONG.render(),
            entry.name,
            STRONG.render_reset(),
            entry.title,
            entry.board(),
            FAINT.render(),
            FAINT.render_reset(),
        )?;
    }
    Ok(())
}
