//! `multigame database`: pattern databases of puzzles, made, checked and listed.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use database::cosets::file::COSETS;
use database::cosets::{self, CosetPlan, Frame};
use database::verify::Seen;
use database::{Folder, PatternTable, Plan, file};
use game::{Game, Motion, Position};
use serde_json::json;

use crate::cli::database::{Build, Chosen, Database};
use crate::cli::{Global, STRONG};
use crate::databases::{self, Choice};
use crate::generator::{Work, with_any};
use crate::numbers::{counted, grouped};
use crate::{Exit, interrupt};

pub(super) fn run(options: &Database, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    match options {
        Database::List => list(global, out),
        Database::Build(build) => with(&build.chosen, Task::Build(build), global, out),
        Database::Verify(chosen) => with(chosen, Task::Verify, global, out),
        Database::Info(chosen) => with(chosen, Task::Info, global, out),
    }
}

#[derive(Clone, Copy)]
enum Task<'run> {
    Build(&'run Build),
    Verify,
    Info,
}

fn with(chosen: &Chosen, task: Task<'_>, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_any(&chosen.choice, Databases { chosen, task, global, out })
}

struct Databases<'run> {
    chosen: &'run Chosen,
    task: Task<'run>,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Databases<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, _: Position) -> Result<Exit> {
        let name = game.info().name.clone();
        let motion = Motion::of(game).with_context(|| {
            format!(
                "`{name}` has no patterns: its moves tell its pieces apart, or what solves it is not one position. \
                 `multigame solve {name}` solves it in another way"
            )
        })?;
        let folder = databases::folder()?;
        match self.task {
            Task::Build(build) => self.build(&name, &motion, &folder, build),
            Task::Verify => self.verify(&name, &motion, &folder),
            Task::Info => self.info(&name, &motion, &folder),
        }
    }
}

impl Databases<'_> {
    fn memory(&self) -> u64 {
        u64::from(self.chosen.memory) << 20
    }

    fn build(self, name: &str, motion: &Motion, folder: &Folder, build: &Build) -> Result<Exit> {
        let threads = databases::threads(self.global.threads);
        let chosen = match &build.patterns {
            Some(text) => Choice::Patterns(self.told(motion, text)?),
            None => {
                let effort = build.time * databases::STEPS_A_SECOND as f64 * threads as f64;
                Choice::within(motion, effort as u64, self.memory())
                    .context("nothing can be made in so little time and memory")?
            }
        };
        let began = Instant::now();
        let (states, bytes, groups) = match &chosen {
            Choice::Patterns(plan) => {
                if build.again {
                    for pattern in &plan.patterns {
                        let _ = std::fs::remove_file(folder.path(name, motion, pattern, plan.adds));
                    }
                }
                let Some(tables) = databases::tables(folder, name, motion, plan, threads)? else {
                    return Ok(Exit::Interrupted);
                };
                let (states, bytes) = sizes(motion, &tables);
                (states, bytes, json!(pieces(plan)))
            }
            Choice::Cosets(plan) => {
                if build.again {
                    let _ = std::fs::remove_file(cosets::file::path(folder, name, motion, plan));
                }
                let Some((frame, bytes)) = databases::coset_table(folder, name, motion, plan, threads)?
                else {
                    return Ok(Exit::Interrupted);
                };
                (frame.entries() as u64, bytes.get().len() as u64, json!("cosets"))
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        if self.global.json {
            let adds = matches!(&chosen, Choice::Patterns(plan) if plan.adds);
            let row = json!({
                "game": name, "patterns": groups, "adds": adds, "states": states, "bytes": bytes, "seconds": seconds,
            });
            writeln!(self.out, "{row}")?;
        } else {
            writeln!(
                self.out,
                "{}{}{}: {} states in {} bytes, {seconds:.1} s",
                STRONG.render(),
                chosen.in_words(),
                STRONG.render_reset(),
                grouped(states),
                grouped(bytes)
            )?;
        }
        Ok(Exit::Success)
    }

    /// The patterns that are asked for, if they fit into memory.
    fn told(&self, motion: &Motion, text: &str) -> Result<Plan> {
        let plan =
            Plan::told(motion, &groups(text)?).map_err(|message| anyhow::anyhow!("--patterns: {message}"))?;
        let held = plan.patterns.iter().map(|pattern| pattern.memory(motion)).max().unwrap_or(0);
        if held > self.memory() {
            bail!("this takes {} MiB while it is made: give more --memory", grouped((held >> 20) + 1));
        }
        Ok(plan)
    }

    fn verify(self, name: &str, motion: &Motion, folder: &Folder) -> Result<Exit> {
        let mut checked = 0;
        for path in folder.list(Some(name)) {
            let (header, table) = file::open(&path).with_context(|| {
                format!(
                    "`multigame database build {name} --again` makes it anew, and so does deleting the file"
                )
            })?;
            if header.moves != file::fingerprint(motion) {
                eprintln!("{} is of other rules", path.display());
                continue;
            }
            if interrupt::requested() {
                return Ok(Exit::Interrupted);
            }
            let began = Instant::now();
            let wrong = || {
                format!(
                    "{} is wrong; `multigame database build {name} --again` makes it anew",
                    path.display()
                )
            };
            let seen = match header.pattern.kind {
                COSETS => self.verify_cosets(name, motion, folder, &path, &table).with_context(wrong)?,
                _ => {
                    let threads = databases::threads(self.global.threads);
                    database::verify(motion, &table, header.adds, threads).with_context(wrong)?
                }
            };
            checked += 1;
            let seconds = began.elapsed().as_secs_f64();
            if self.global.json {
                let row = json!({
                    "game": name, "file": path.display().to_string(), "states": seen.entries, "edges": seen.edges,
                    "greatest": seen.greatest, "bytes": table.bytes.get().len(), "seconds": seconds,
                });
                writeln!(self.out, "{row}")?;
            } else {
                writeln!(
                    self.out,
                    "{}: {} states and {} moves agree, greatest distance {} ({seconds:.1} s)",
                    path.display(),
                    grouped(seen.entries as u64),
                    grouped(seen.edges),
                    seen.greatest
                )?;
            }
        }
        if checked == 0 {
            bail!("there are no pattern databases of `{name}`: `multigame database build {name}` makes some");
        }
        Ok(Exit::Success)
    }

    fn verify_cosets(
        &self,
        name: &str,
        motion: &Motion,
        folder: &Folder,
        path: &Path,
        table: &PatternTable,
    ) -> Result<Seen> {
        let is_own =
            |plan: &CosetPlan| cosets::file::path(folder, name, motion, plan).file_name() == path.file_name();
        let plan = CosetPlan::all(motion)
            .into_iter()
            .find(is_own)
            .context("this version makes no such table: make it anew")?;
        let frame = Frame::new(motion, &plan, true).context("its symmetries are none")?;
        let threads = databases::threads(self.global.threads);
        match cosets::verify(&frame, table.bytes.get(), threads) {
            Ok((greatest, edges)) => {
                Ok(Seen { entries: frame.entries(), edges, full: 0, greatest: u32::from(greatest) })
            }
            Err(entry) => bail!("entry {entry} does not agree with its neighbours"),
        }
    }

    fn info(mut self, name: &str, motion: &Motion, folder: &Folder) -> Result<Exit> {
        let chosen = databases::plan(folder, name, motion, self.memory());
        let chosen = chosen.with_context(|| format!("no patterns of `{name}` fit into so little memory"))?;
        let plan = match chosen {
            Choice::Patterns(plan) => plan,
            Choice::Cosets(plan) => return self.coset_info(name, motion, folder, &plan),
        };
        let sizes: Vec<u64> = plan.patterns.iter().map(|pattern| pattern.size(motion) as u64).collect();
        let there = |pattern| folder.path(name, motion, pattern, plan.adds).exists();
        if self.global.json {
            let row = json!({
                "game": name, "sites": motion.sites(), "modes": motion.modes.len(), "pieces": motion.pieces(),
                "mirrors": motion.mirrors.len(), "adds": plan.adds, "patterns": pieces(&plan), "states": sizes,
                "made": plan.patterns.iter().all(there),
            });
            writeln!(self.out, "{row}")?;
            return Ok(Exit::Success);
        }
        self.say_pieces(motion)?;
        for (pattern, size) in plan.patterns.iter().zip(sizes) {
            let numbers: Vec<String> = pattern
                .pieces
                .iter()
                .map(|&piece| {
                    let field = motion.fields[usize::from(motion.goal.at[piece])];
                    format!("{} ({})", piece + 1, field)
                })
                .collect();
            let state = if there(pattern) { "made" } else { "not made yet" };
            writeln!(self.out, "pattern {}: {} states, {state}", numbers.join(", "), grouped(size))?;
        }
        Ok(Exit::Success)
    }
}

impl Databases<'_> {
    fn say_pieces(&mut self, motion: &Motion) -> Result<()> {
        let kinds = motion.kinds.iter().map(|kind| match kind.twists {
            1 => format!("{} on {} places", kind.pieces.len(), kind.places.len()),
            twists => format!("{} on {} places in {twists} twists", kind.pieces.len(), kind.places.len()),
        });
        writeln!(self.out, "pieces: {}", kinds.collect::<Vec<_>>().join("; "))?;
        writeln!(self.out, "modes: {}, mirrored boards: {}", motion.modes.len(), motion.mirrors.len())?;
        Ok(())
    }

    fn coset_info(mut self, name: &str, motion: &Motion, folder: &Folder, plan: &CosetPlan) -> Result<Exit> {
        let is_made = cosets::file::path(folder, name, motion, plan).exists();
        if self.global.json {
            let row = json!({
                "game": name, "sites": motion.sites(), "modes": 1, "pieces": motion.pieces(), "patterns": "cosets",
                "symmetries": plan.symmetries.len(), "states": plan.size, "entries": plan.entries(), "made": is_made,
            });
            writeln!(self.out, "{row}")?;
            return Ok(Exit::Success);
        }
        self.say_pieces(motion)?;
        writeln!(self.out, "symmetries: {}", plan.symmetries.len())?;
        let state = if is_made { "made" } else { "not made yet" };
        let (size, entries) = (grouped(plan.size), grouped(plan.entries()));
        writeln!(self.out, "{}: {size} cosets in about {entries} entries, {state}", plan.in_words())?;
        Ok(Exit::Success)
    }
}

fn pieces(plan: &Plan) -> Vec<Vec<usize>> {
    plan.patterns.iter().map(|pattern| pattern.pieces.iter().map(|piece| piece + 1).collect()).collect()
}

fn sizes(motion: &Motion, tables: &[PatternTable]) -> (u64, u64) {
    let states = tables.iter().map(|table| table.pattern.size(motion) as u64).sum();
    (states, tables.iter().map(|table| table.bytes.get().len() as u64).sum())
}

fn groups(text: &str) -> Result<Vec<Vec<usize>>> {
    let number = |text: &str| {
        text.trim().parse::<usize>().ok().with_context(|| {
            format!("--patterns: `{text}` is no number of a piece; groups look like 1,2,3/4,5,6")
        })
    };
    text.split('/').map(|group| group.split(',').map(number).collect()).collect()
}

fn list(global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let folder = databases::folder()?;
    let paths = folder.list(None);
    for path in &paths {
        let header = match file::Header::of(path) {
            Ok(header) => header,
            Err(error) => {
                eprintln!("warning: {error}");
                continue;
            }
        };
        let size = header.pattern.pieces.len();
        if header.pattern.kind == COSETS && !global.json {
            writeln!(out, "{}: cosets, {} states", path.display(), grouped(header.entries))?;
            continue;
        }
        if global.json {
            let row = json!({
                "file": path.display().to_string(), "pieces": size, "adds": header.adds, "states": header.entries,
                "bytes": header.entries.div_ceil(2),
            });
            writeln!(out, "{row}")?;
        } else {
            let pieces = counted(size as u64, "piece", "pieces");
            writeln!(out, "{}: {pieces}, {} states", path.display(), grouped(header.entries))?;
        }
    }
    if paths.is_empty() && !global.json {
        writeln!(out, "there are no pattern databases in {}", folder.0.display())?;
    }
    Ok(Exit::Success)
}
