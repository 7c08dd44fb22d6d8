//! `multigame bench`: the figures that the documentation quotes. Every row checks its counts, so that a fast
//! wrong answer is an error and not a record.

mod checksum;
mod generators;
mod passes;
mod playouts;
mod puzzles;
mod search;
mod timing;

use std::io::Write;

use anyhow::{Result, bail};
use serde_json::json;

use crate::Exit;
use crate::cli::{Bench, BenchKind, Global};
use crate::numbers::grouped;

pub(super) fn run(options: &Bench, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let mut sink = Sink { json: global.json, out };
    match options.what {
        None => checksum::run(&mut sink),
        Some(BenchKind::Generators) => generators::run(options, &mut sink),
        Some(BenchKind::Passes) => passes::run(options, &mut sink),
        Some(BenchKind::Puzzles) => puzzles::run(options, &mut sink),
        Some(BenchKind::Search) => search::run(options, &mut sink),
        Some(BenchKind::Playouts) => playouts::run(options, global.seed.unwrap_or(1), &mut sink),
    }
}

/// One figure.
struct Row<'row> {
    game: &'row str,
    what: &'row str,
    value: f64,
    unit: &'row str,
    /// The rival's figure, and how many times longer ours takes for the same work.
    rival: Option<(f64, f64)>,
    /// What people see.
    text: String,
}

/// Where figures go.
struct Sink<'run> {
    json: bool,
    out: &'run mut dyn Write,
}

impl Sink<'_> {
    fn heading(&mut self, text: &str) -> Result<()> {
        if !self.json {
            writeln!(self.out, "{text}")?;
        }
        Ok(())
    }

    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        if self.json {
            let mut object =
                json!({ "game": row.game, "what": row.what, "value": row.value, "unit": row.unit });
            if let Some((rival, ratio)) = row.rival {
                object["rival"] = json!(rival);
                object["ratio"] = json!(ratio);
            }
            writeln!(self.out, "{object}")?;
        } else if !row.text.is_empty() {
            writeln!(self.out, "{}", row.text)?;
        }
        self.out.flush()?;
        Ok(())
    }
}

/// The rows whose games were asked for; all of them if none was.
fn chosen<'table, T>(
    table: &'table [T],
    name: impl Fn(&T) -> &'static str,
    wanted: &[String],
) -> Result<Vec<&'table T>> {
    for game in wanted {
        if !table.iter().any(|row| name(row) == game) {
            let names: Vec<&str> = table.iter().map(name).collect();
            bail!("there is no such benchmark for `{game}`: there are {}", names.join(", "));
        }
    }
    Ok(table.iter().filter(|row| wanted.is_empty() || wanted.iter().any(|game| game == name(row))).collect())
}

/// An error if a count is not what it must be.
fn check_count(game: &str, what: &str, counted: u64, expected: u64) -> Result<()> {
    if counted != expected {
        bail!(
            "{game}, {what}: {} instead of {}: this build is broken, its speed means nothing",
            grouped(counted),
            grouped(expected)
        );
    }
    Ok(())
}
