//! Pattern databases on this machine: where they are kept, which ones serve a puzzle, and making those that are missing.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use database::{Folder, Making, Pattern, Patterns, Plan, Table};
use game::Motion;

use crate::interrupt;
use crate::numbers::grouped;
use crate::progress::Progress;

/// Steps of a second and a thread when tables are made, as measured: ways to lie times moves.
pub(crate) const STEPS_A_SECOND: u64 = 40_000_000;

/// What `solve` spends on tables if none are there, in seconds on two threads.
const SECONDS: u64 = 40;

/// A search that is under way is saved as often.
const SAVE_EVERY: Duration = Duration::from_secs(50);

/// Where tables are kept: `$XDG_CACHE_HOME/multigame/patterns`, or the same under `$HOME/.cache`.
pub(crate) fn folder() -> Result<Folder> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    let cache = cache.context("no place for pattern databases: set XDG_CACHE_HOME to a folder")?;
    Ok(Folder(cache.join("multigame").join("patterns")))
}

/// Threads that tables are made on.
pub(crate) fn threads(wanted: Option<u32>) -> usize {
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    wanted.map_or(all, |wanted| wanted as usize)
}

/// The patterns that pay: the largest whose tables are there, or else the largest that can be made soon.
pub(crate) fn plan(folder: &Folder, name: &str, motion: &Motion, memory: u64) -> Option<Plan> {
    let is_there = |plan: &Plan| {
        plan.patterns.iter().all(|pattern| folder.path(name, motion, pattern, plan.adds).exists())
    };
    let usual = Plan::choose(motion, SECONDS * 2 * STEPS_A_SECOND, memory);
    let larger = Plan::all(motion, memory).into_iter().find(is_there);
    larger.or(usual)
}

/// The tables of a plan: opened, or made and kept. `None` after Ctrl-C.
pub(crate) fn tables(
    folder: &Folder,
    name: &str,
    motion: &Motion,
    plan: &Plan,
    threads: usize,
) -> Result<Option<Vec<Table>>> {
    let mut tables = Vec::new();
    for (number, pattern) in plan.patterns.iter().enumerate() {
        let opened = folder.open(name, motion, pattern, plan.adds).with_context(|| {
            format!("`multigame database build {name} --again` makes it anew, and so does deleting the file")
        })?;
        let table = match opened {
            Some(table) => table,
            None => {
                let part = format!("table {} of {}", number + 1, plan.patterns.len());
                match make(folder, name, motion, pattern, plan.adds, threads, &part)? {
                    Some(table) => table,
                    None => return Ok(None),
                }
            }
        };
        tables.push(table);
    }
    Ok(Some(tables))
}

/// Makes a table and keeps it; `None` after Ctrl-C.
pub(crate) fn make(
    folder: &Folder,
    name: &str,
    motion: &Motion,
    pattern: &Pattern,
    adds: bool,
    threads: usize,
    part: &str,
) -> Result<Option<Table>> {
    let Some(mut making) = Making::new(motion, pattern, adds) else {
        bail!("a pattern of {} pieces has more states than can be numbered", pattern.pieces.len());
    };
    let began = Instant::now();
    let states = making.size();
    let resumed = folder.resume(name, motion, pattern, adds, &mut making);
    let again = if resumed { format!(", from distance {}", making.level()) } else { String::new() };
    let mut stderr = anstream::stderr();
    let _ = writeln!(
        stderr,
        "making a pattern database: {part}, {} pieces, {} states{again}",
        pattern.pieces.len(),
        grouped(states as u64)
    );
    let mut progress = Progress::new();
    let mut saved = Instant::now();
    while !making.is_over() {
        progress.show(0, 0, || format!("{part}: distance {}", making.level()));
        if !making.advance(threads, &interrupt::requested) {
            progress.clear();
            return Ok(None);
        }
        if saved.elapsed() > SAVE_EVERY && !making.is_over() {
            folder.save(name, motion, pattern, adds, &making)?;
            saved = Instant::now();
        }
    }
    progress.clear();
    let table = making.table();
    match folder.keep(name, motion, &table, adds) {
        Ok(path) => {
            let _ = writeln!(stderr, "kept in {} ({:.1} s)", path.display(), began.elapsed().as_secs_f64());
        }
        // It serves all the same, this once.
        Err(error) => {
            let _ = writeln!(stderr, "warning: it cannot be kept: {error}");
        }
    }
    Ok(Some(table))
}

/// The bounds of a puzzle's tables, made if need be; `None` if there are none that pay, or after Ctrl-C.
pub(crate) fn bounds(
    name: &str,
    motion: &Motion,
    memory: u64,
    threads: usize,
) -> Result<Option<(Patterns, String)>> {
    let folder = folder()?;
    let Some(plan) = plan(&folder, name, motion, memory) else { return Ok(None) };
    let Some(tables) = tables(&folder, name, motion, &plan, threads)? else { return Ok(None) };
    Ok(Some((Patterns::new(motion, &plan, &tables), in_words(&plan))))
}

/// What a plan is, in words.
pub(crate) fn in_words(plan: &Plan) -> String {
    let sizes: Vec<String> = plan.patterns.iter().map(|pattern| pattern.pieces.len().to_string()).collect();
    let how = if plan.adds { "added up" } else { "the greatest of them" };
    format!("pattern databases {}, {how}", sizes.join("-"))
}
