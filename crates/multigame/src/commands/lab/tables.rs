//! `multigame lab tables`: figures of the originals beside ours.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use lab::originals::{self, Comparison, Original};
use lang::diagnostic::did_you_mean;
use serde_json::json;

use crate::cli::lab::Tables;
use crate::cli::{FAINT, Global, STRONG};
use crate::{Exit, files, library};

pub(super) fn run(options: &Tables, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let tables = originals::all()?;
    let Some(name) = &options.name else {
        for table in &tables {
            if global.json {
                writeln!(
                    out,
                    "{}",
                    json!({ "name": table.name, "title": table.title, "source": table.source })
                )?;
            } else {
                writeln!(out, "{STRONG}{:22}{STRONG:#} {}", table.name, table.title)?;
            }
        }
        return Ok(Exit::Success);
    };
    let Some(table) = tables.iter().find(|table| table.name == *name) else {
        let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        let hint = did_you_mean(name, names.iter().copied());
        bail!(
            "there is no table `{name}`: {}",
            hint.unwrap_or_else(|| format!("there are {}", names.join(", ")))
        );
    };
    let csv = figures(table, options.experiments.as_deref())?;
    tell(table, &table.compare(csv.as_deref()), global, out)
}

/// Our own figures, if the experiment was made.
fn figures(table: &Original, folder: Option<&Path>) -> Result<Option<String>> {
    let file = format!("{}.csv", table.experiment);
    match folder {
        Some(folder) => files::read_text(&folder.join(file)).map(Some),
        None => Ok(library::figures(&file).map(str::to_owned)),
    }
}

fn tell(table: &Original, figures: &[Comparison], global: &Global, out: &mut dyn Write) -> Result<Exit> {
    if global.json {
        for figure in figures {
            let Comparison { label, measure, original, ours } = figure;
            let row = json!({ "table": table.name, "row": label, "measure": measure, "original": original,
                "ours": ours, "ratio": figure.ratio() });
            writeln!(out, "{row}")?;
        }
        return Ok(Exit::Success);
    }
    writeln!(out, "{STRONG}{}{STRONG:#}\n{FAINT}{}{FAINT:#}", table.title, table.source)?;
    let widest = figures.iter().map(|figure| figure.label.chars().count()).max().unwrap_or(0);
    writeln!(out, "{FAINT}{:widest$}  {:16}  original      ours  ratio{FAINT:#}", "", "")?;
    for figure in figures {
        let number = |figure: Option<f64>| figure.map_or("–".to_owned(), |figure| format!("{figure:.3}"));
        let Comparison { label, measure, original, ours } = figure;
        let ratio = figure.ratio().map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        let (original, ours) = (number(*original), number(*ours));
        writeln!(out, "{label:widest$}  {measure:16} {original:>9} {ours:>9} {ratio:>6}")?;
    }
    if figures.iter().all(|figure| figure.ours.is_none()) {
        let file = format!("experiments/{}.toml", table.experiment);
        writeln!(out, "our figures are missing: multigame lab run {file}, then --experiments experiments")?;
    } else if figures.iter().any(Comparison::differs) {
        writeln!(out, "Why some differ by more than a third: {}", table.why)?;
    }
    Ok(Exit::Success)
}
