//! `multigame lab run`: experiments in files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use lab::experiment::{Plan, Store, SummaryRow, picture, report};
use serde_json::json;

use super::laboratory::{Laboratory, State};
use super::version::version;
use crate::cli::lab::Run;
use crate::cli::{FAINT, Global};
use crate::files::write;
use crate::{Exit, files, generator, interrupt, library};

pub(super) fn run(options: &Run, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    if let Some(seed) = global.seed {
        bail!(
            "an experiment has its seeds in its file: write `seeds = [{seed}]` there, and leave --seed out"
        );
    }
    let text = files::read_text(&options.file)?;
    let name = options.file.display().to_string();
    let plan = Plan::read(&text).map_err(|mistake| anyhow!("`{name}`, {mistake}"))?;
    check_names(&plan, &name)?;
    let stem = stem(options)?;
    let mut store = open(options, &stem)?;
    let Run { generator, jobs, time, .. } = *options;
    let laboratory =
        Laboratory { plan, name: format!("`{name}`"), generator, jobs, time, began: Instant::now() };
    let mut state = State::default();
    // Runs that have begun may take minutes.
    let _stopper = interrupt::on_request(|| {
        let line = "stopping when the runs that have begun are done; Ctrl-C again ends at once, and only those are lost";
        let _ = writeln!(io::stderr(), "\n{line}");
    });
    let mut nobody = io::sink();
    let told: &mut dyn Write = if global.json { &mut nobody } else { &mut *out };
    let measured = laboratory.measure(&mut store, &mut state, told);
    // Whatever went wrong: the figures that are there are written.
    if global.json {
        state.lines.iter().try_for_each(|line| writeln!(out, "{}", as_json(line, store.version())))?;
    }
    let saved = save(&stem, &laboratory.plan, &state);
    measured.and(saved)?;
    match global.json {
        false => tell(&stem, &state, out)?,
        true if state.missing > 0 => tell(&stem, &state, &mut io::stderr())?,
        true => {}
    }
    Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
}

/// Where results go, without the ending.
fn stem(options: &Run) -> Result<PathBuf> {
    let name = options.file.file_stem().unwrap_or(options.file.as_os_str());
    let folder =
        options.out.clone().or_else(|| options.file.parent().map(Path::to_owned)).unwrap_or_default();
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    Ok(folder.join(name))
}

fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// The results that are there already.
fn open(options: &Run, stem: &Path) -> Result<Store> {
    let path = with_ending(stem, ".results.jsonl");
    if options.fresh && path.exists() {
        let old = with_ending(stem, ".results.old.jsonl");
        std::fs::rename(&path, &old).with_context(|| format!("cannot rename `{}`", path.display()))?;
    }
    Ok(Store::open(&path, version()?)?)
}

/// Finds out before the first run whether all games and suites are there.
fn check_names(plan: &Plan, file: &str) -> Result<()> {
    for subject in &plan.subjects {
        let place = || format!("`{file}`, line {}", subject.line);
        if !subject.game.starts_with("native:") {
            generator::find_rules(&subject.game).with_context(place)?;
        }
        if let Some(suite) = &subject.suite {
            library::suite(suite).with_context(place)?;
        }
    }
    Ok(())
}

fn save(stem: &Path, plan: &Plan, state: &State) -> Result<()> {
    if state.lines.is_empty() {
        return Ok(());
    }
    write(&with_ending(stem, ".csv"), &report::csv(&state.lines, plan, version()?))?;
    write(&with_ending(stem, ".md"), &report::markdown(&state.lines, plan, version()?, state.missing))?;
    let picture = picture::svg(&state.lines).map_err(|error| anyhow!("no picture: {error}"))?;
    write(&with_ending(stem, ".svg"), &picture)
}

fn tell(stem: &Path, state: &State, out: &mut dyn Write) -> Result<()> {
    let stem = stem.display();
    if state.missing > 0 {
        let (runs, are) = counted(state.missing);
        let (kept, known) = counted(state.known);
        writeln!(out, "{runs} {are} missing: the same command goes on from here")?;
        writeln!(out, "{kept} {known} kept in {stem}.results.jsonl")?;
    }
    if !state.lines.is_empty() {
        writeln!(out, "{FAINT}figures{FAINT:#}: {stem}.md, {stem}.csv, {stem}.svg")?;
    }
    Ok(())
}

/// So many runs, and the verb that goes with them.
fn counted(runs: usize) -> (String, &'static str) {
    match runs {
        1 => ("1 run".to_owned(), "is"),
        _ => (format!("{runs} runs"), "are"),
    }
}

pub(super) fn as_json(line: &SummaryRow, version: &str) -> serde_json::Value {
    let (speedup, single) = (line.speedup(), line.single());
    let mut row = json!({
        "game": line.subject,
        "fabric": line.place,
        "preset": line.preset,
        "engine": line.engine,
        "variant": line.variant,
        "processors": line.processors,
        "runs": line.rows.len(),
        "speedup": speedup.mean,
        "speedup_error": speedup.error,
        "efficiency": line.estimate(lab::Row::efficiency).mean,
        "position_mean": single.mean,
        "position_median": single.median,
        "position_error": single.error,
        "search_overhead": line.estimate(|row| row.search_overhead).mean,
        "load": line.estimate(|row| row.load).mean,
        "performance": line.estimate(|row| row.performance).mean,
        "version": version,
    });
    line.parts().into_iter().for_each(|(name, part)| row[name] = part.into());
    row
}
