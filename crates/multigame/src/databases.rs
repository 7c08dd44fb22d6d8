//! Pattern databases on this machine: where they are kept, which ones serve a puzzle, and making those that are
//! missing.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use database::cosets::{self, CosetPlan, Cosets, Frame, Growing};
use database::{Bytes, Folder, Making, Parts, Pattern, PatternTable, Patterns, Plan};
use game::Motion;

use crate::interrupt;
use crate::numbers::grouped;
use crate::progress::Progress;

/// Steps of a second and a thread when tables are made, as measured: ways to lie times moves.
pub(crate) const STEPS_A_SECOND: u64 = 40_000_000;

/// So many times more entries of cosets than ways to lie are made in a second, as measured.
const COSETS_FASTER: u64 = 3;

/// What `solve` spends on tables if none are there, in seconds on two threads.
const SECONDS: u64 = 40;

/// A search that is under way is saved as often.
const SAVE_EVERY: Duration = Duration::from_secs(40);

/// Where tables are kept: `$XDG_CACHE_HOME/multigame/patterns`, or the same under `$HOME/.cache`, or under
/// `%LOCALAPPDATA%` of Windows.
pub(crate) fn folder() -> Result<Folder> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(set("HOME")?.join(".cache"));
    let cache = set("XDG_CACHE_HOME").or_else(home).or_else(|| set("LOCALAPPDATA"));
    let cache = cache.context("no place for pattern databases: set XDG_CACHE_HOME to a folder")?;
    Ok(Folder(cache.join("multigame").join("patterns")))
}

/// Threads that tables are made on.
pub(crate) fn threads(wanted: Option<u32>) -> usize {
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    wanted.map_or(all, |wanted| wanted as usize)
}

/// What tables of a puzzle are of: some of its pieces, or cosets.
pub(crate) enum Choice {
    Patterns(Plan),
    Cosets(CosetPlan),
}

impl Choice {
    /// The largest tables that can be made with so much effort and memory.
    pub(crate) fn within(motion: &Motion, effort: u64, memory: u64) -> Option<Choice> {
        let patterns = Plan::choose(motion, effort, memory);
        let fits =
            |plan: &CosetPlan| plan.effort(motion) / COSETS_FASTER <= effort && plan.memory() <= memory;
        // A table of everything is the truth, and no cosets can say more.
        let is_whole = |plan: &Plan| {
            let all = |pattern: &Pattern| pattern.pieces.len() == motion.pieces();
            plan.patterns.iter().any(all)
        };
        let cosets = match &patterns {
            Some(plan) if is_whole(plan) => None,
            _ => CosetPlan::all(motion).into_iter().find(fits),
        };
        cosets.map(Choice::Cosets).or(patterns.map(Choice::Patterns))
    }

    /// All that there are, the largest first.
    pub(crate) fn all(motion: &Motion) -> impl Iterator<Item = Choice> {
        let cosets = CosetPlan::all(motion).into_iter().map(Choice::Cosets);
        cosets.chain(Plan::all(motion, u64::MAX).into_iter().map(Choice::Patterns))
    }

    /// The size of its tables.
    fn bytes(&self, motion: &Motion) -> u64 {
        match self {
            Choice::Patterns(plan) => plan.states(motion) / 2,
            Choice::Cosets(plan) => plan.entries() / 2,
        }
    }

    /// Whether all its tables are there.
    pub(crate) fn is_there(&self, folder: &Folder, name: &str, motion: &Motion) -> bool {
        match self {
            Choice::Patterns(plan) => {
                let is_there = |pattern| folder.path(name, motion, pattern, plan.adds).exists();
                plan.patterns.iter().all(is_there)
            }
            Choice::Cosets(plan) => cosets::file::path(folder, name, motion, plan).exists(),
        }
    }

    /// What it is, in words.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Choice::Patterns(plan) => in_words(plan),
            Choice::Cosets(plan) => plan.in_words(),
        }
    }
}

/// The tables that pay: the largest that are there, or else the largest that can be made soon.
pub(crate) fn plan(folder: &Folder, name: &str, motion: &Motion, memory: u64) -> Option<Choice> {
    // Those that are there take no more memory than they are large.
    let larger = Choice::all(motion)
        .find(|chosen| chosen.bytes(motion) <= memory && chosen.is_there(folder, name, motion));
    larger.or_else(|| Choice::within(motion, SECONDS * 2 * STEPS_A_SECOND, memory))
}

/// The tables of a plan: opened, or made and kept. `None` after Ctrl-C.
pub(crate) fn tables(
    folder: &Folder,
    name: &str,
    motion: &Motion,
    plan: &Plan,
    threads: usize,
) -> Result<Option<Vec<PatternTable>>> {
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
) -> Result<Option<PatternTable>> {
    let Some(mut making) = Making::new(motion, pattern, adds) else {
        bail!("a pattern of {} pieces has more states than can be numbered", pattern.pieces.len());
    };
    let began = Instant::now();
    let states = making.size();
    let resumed = folder.resume(name, motion, &mut making);
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
        let is_done = making.advance(threads, &|| interrupt::requested() || saved.elapsed() > SAVE_EVERY);
        let is_interrupted = interrupt::requested();
        if !is_done && (is_interrupted || saved.elapsed() > SAVE_EVERY) {
            folder.save(name, motion, &making)?;
            saved = Instant::now();
        }
        if is_interrupted {
            progress.clear();
            return Ok(None);
        }
    }
    progress.clear();
    let table = making.table(threads);
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

/// The table of a plan of cosets, opened, or made and kept; `None` after Ctrl-C.
pub(crate) fn coset_table(
    folder: &Folder,
    name: &str,
    motion: &Motion,
    plan: &CosetPlan,
    threads: usize,
) -> Result<Option<(Frame, Bytes)>> {
    let is_there = cosets::file::path(folder, name, motion, plan).exists();
    let frame = Frame::new(motion, plan, !is_there).context("its symmetries are none")?;
    let opened = || {
        cosets::file::open_cosets(folder, name, motion, plan, &frame).with_context(|| {
            format!("`multigame database build {name} --again` makes it anew, and so does deleting the file")
        })
    };
    cosets::file::take_up(folder, name, motion, plan, &frame);
    if let Some(bytes) = opened()? {
        return Ok(Some((frame, bytes)));
    }
    let Some(mut growing) = grow(folder, name, motion, plan, &frame, threads)? else { return Ok(None) };
    let bytes = match growing.keep(folder, name, motion, plan) {
        Ok(path) => {
            let _ = writeln!(anstream::stderr(), "kept in {}", path.display());
            drop(growing);
            opened()?
        }
        Err(error) => {
            let _ = writeln!(anstream::stderr(), "warning: it cannot be kept: {error}");
            Some(Bytes::Memory(growing.bytes().into()))
        }
    };
    Ok(bytes.map(|bytes| (frame, bytes)))
}

/// Makes a table of cosets; `None` after Ctrl-C.
fn grow<'frame>(
    folder: &Folder,
    name: &str,
    motion: &Motion,
    plan: &CosetPlan,
    frame: &'frame Frame,
    threads: usize,
) -> Result<Option<Growing<'frame>>> {
    let began = Instant::now();
    // If there is no place for a file it is made in memory.
    let (mut growing, is_again) = match Growing::in_file(frame, folder, name, motion, plan) {
        Ok(growing) => growing,
        Err(_) => (Growing::new(frame).context("there is no memory for it")?, false),
    };
    let again = match is_again {
        true => format!(", from distance {}", growing.level()),
        false => String::new(),
    };
    let mut stderr = anstream::stderr();
    let _ = writeln!(
        stderr,
        "making a database: {}, {} entries{again}",
        plan.in_words(),
        grouped(frame.entries() as u64)
    );
    let mut progress = Progress::new();
    let mut saved = Instant::now();
    while !growing.is_over() {
        progress.show(0, 0, || format!("distance {}, {} %", growing.level(), growing.share()));
        growing.advance(threads, &|| interrupt::requested() || saved.elapsed() > SAVE_EVERY);
        if interrupt::requested() || saved.elapsed() > SAVE_EVERY {
            growing.note()?;
            saved = Instant::now();
        }
        if interrupt::requested() {
            progress.clear();
            return Ok(None);
        }
    }
    progress.clear();
    let _ = writeln!(stderr, "made in {:.1} s", began.elapsed().as_secs_f64());
    Ok(Some(growing))
}

/// Bounds of one sort or the other.
pub(crate) enum Tables {
    Patterns(Patterns),
    Cosets(Cosets),
}

/// The bounds of a puzzle's tables, made on so many threads if need be; `None` if there are none that pay, or none at
/// all and they are not to be made, or after Ctrl-C.
pub(crate) fn bounds(
    name: &str,
    motion: &Motion,
    memory: u64,
    makes: Option<usize>,
) -> Result<Option<(Tables, String)>> {
    let folder = folder()?;
    let Some(chosen) = plan(&folder, name, motion, memory) else { return Ok(None) };
    if makes.is_none() && !chosen.is_there(&folder, name, motion) {
        return Ok(None);
    }
    let threads = makes.unwrap_or(1);
    let bounds = match &chosen {
        Choice::Patterns(plan) => {
            let tables = tables(&folder, name, motion, plan, threads)?.map(|tables| {
                let near =
                    |table: PatternTable| PatternTable { bytes: table.bytes.in_large_pages(), ..table };
                tables.into_iter().map(near).collect::<Vec<_>>()
            });
            tables.map(|tables| Tables::Patterns(Patterns::new(motion, plan, &tables)))
        }
        Choice::Cosets(plan) => {
            let table = coset_table(&folder, name, motion, plan, threads)?;
            let ask =
                |(frame, bytes): (Frame, Bytes)| Cosets::new(motion, plan, frame, bytes.in_large_pages());
            table.and_then(ask).map(Tables::Cosets)
        }
    };
    Ok(bounds.map(|bounds| (bounds, chosen.in_words())))
}

/// Tables of patterns that so many processors hold together, with as much memory each; those of some of them are kept
/// here. `None` if there are none that pay, or after Ctrl-C.
pub(crate) fn parts(
    name: &str,
    motion: &Motion,
    memory: u64,
    threads: usize,
    (count, here): (usize, std::ops::Range<usize>),
) -> Result<Option<(Parts, String)>> {
    let folder = folder()?;
    let is_there = |plan: &Plan| {
        let there = |pattern| folder.path(name, motion, pattern, plan.adds).exists();
        plan.states(motion) / 2 / count as u64 <= memory && plan.patterns.iter().all(there)
    };
    let larger = Plan::all(motion, u64::MAX).into_iter().find(is_there);
    let chosen = larger.or_else(|| Plan::choose(motion, SECONDS * 2 * STEPS_A_SECOND, memory));
    let Some(plan) = chosen else { return Ok(None) };
    let tables = tables(&folder, name, motion, &plan, threads)?;
    let divide = |tables: Vec<PatternTable>| Parts::new(Patterns::new(motion, &plan, &tables), count, here);
    Ok(tables.map(divide).map(|parts| (parts, format!("{}, in {count} parts", in_words(&plan)))))
}

/// What a plan is, in words.
pub(crate) fn in_words(plan: &Plan) -> String {
    let sizes: Vec<String> = plan.patterns.iter().map(|pattern| pattern.pieces.len().to_string()).collect();
    let how = if plan.adds { "added up" } else { "the greatest of them" };
    format!("pattern databases {}, {how}", sizes.join("-"))
}
