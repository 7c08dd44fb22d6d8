//! `multigame lab compare` and `lab ablate`: experiments without a file.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use lab::combinations::refused_option;
use lab::experiment::names::Named;
use lab::experiment::values::Ask;
use lab::experiment::{Plan, Store, SummaryRow, picture, report};
use lab::parts;
use parallel::stealing::{Policy, TableKind};

use super::laboratory::{Laboratory, State};
use super::run::as_json;
use super::version::version;
use crate::cli::lab::{Ablate, Common, Compare};
use crate::cli::{FAINT, Global, STRONG};
use crate::files::write;
use crate::{Exit, interrupt};

pub(super) fn compare(options: &Compare, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let text = options.common.experiment("Algorithms side by side", &options.engines, global);
    perform(&options.common, &text, global, out)
}

pub(super) fn ablate(options: &Ablate, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let common = &options.common;
    let policy = Named::<Policy>::find(&options.engine).map_err(anyhow::Error::msg)?.value;
    if let Some(reason) = refused_option(&options.engine, &policy, "switching parts of that off") {
        bail!(reason);
    }
    let mut text = common.experiment("Parts switched off", std::slice::from_ref(&options.engine), global);
    let least_depth = common.least_depth.unwrap_or(policy.depth_min);
    let ask = common.ask.unwrap_or(Ask(policy.victims));
    for part in parts::of(
        &policy,
        least_depth,
        ask,
        common.tables.map_or(TableKind::Partitioned, |tables| tables.value),
    ) {
        let _ = writeln!(text, "[[variants]]\nname = {:?}\n{}", part.name, part.keys);
    }
    perform(common, &text, global, out)
}

impl Common {
    /// The experiment as a file would describe it.
    fn experiment(&self, title: &str, engines: &[String], global: &Global) -> String {
        let mut text = format!("title = \"{title}: {}\"\n", self.game.escape_default());
        let _ = writeln!(text, "engines = {engines:?}\nprocessors = {:?}", self.processors);
        let _ = writeln!(text, "networks = {:?}", self.networks);
        if let Some(tables) = self.tables {
            let _ = writeln!(text, "tables = [{:?}]", tables.name);
        }
        if let Some(topology) = &self.topology {
            let _ = writeln!(text, "topologies = [{topology:?}]");
        }
        let seeds: Vec<u64> = match self.seeds.as_slice() {
            [] => vec![global.seed.unwrap_or(1)],
            seeds => seeds.to_vec(),
        };
        let _ =
            writeln!(text, "seeds = {seeds:?}\n\n[[games]]\ngame = {:?}\ndepth = {}", self.game, self.depth);
        if let Some(suite) = &self.suite {
            let _ = writeln!(text, "suite = {suite:?}");
        }
        if let Some(first) = self.first {
            let _ = writeln!(text, "first = {first}");
        }
        let _ = writeln!(text, "\n[options]\ntable_kib = {}", self.table);
        if let Some(depth) = self.least_depth {
            let _ = writeln!(text, "least_depth = {depth}");
        }
        if let Some(faults) = self.faults {
            let _ = writeln!(text, "faults = \"{faults}\"");
        }
        if let Some(ask) = self.ask {
            let _ = writeln!(text, "ask = \"{ask}\"");
        }
        text.push('\n');
        text
    }
}

fn perform(common: &Common, text: &str, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    // Names were given as options: the line of a text that nobody wrote would say nothing.
    let plan = Plan::read(text).map_err(|mistake| anyhow!(mistake.message))?;
    if let Some(path) = &common.save {
        write(path, text)?;
    }
    let Common { generator, jobs, .. } = *common;
    let name = format!("`{}`", common.game);
    let laboratory = Laboratory { plan, name, generator, jobs, time: None, began: Instant::now() };
    let (mut store, mut state) = (Store::in_memory(version()?), State::default());
    let mut nobody = io::sink();
    let told: &mut dyn Write = if global.json { &mut nobody } else { &mut *out };
    let measured = laboratory.measure(&mut store, &mut state, told);
    // What is known is told before anything can go wrong with a file.
    if global.json {
        state.lines.iter().try_for_each(|line| writeln!(out, "{}", as_json(line, store.version())))?;
    } else {
        table(&state.lines, out)?;
    }
    out.flush()?;
    let saved = save(common, &laboratory.plan, &state);
    measured.and(saved)?;
    Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
}

fn save(common: &Common, plan: &Plan, state: &State) -> Result<()> {
    if let Some(path) = &common.csv {
        write(path, &report::csv(&state.lines, plan, version()?))?;
    }
    if let Some(path) = &common.markdown {
        write(path, &report::markdown(&state.lines, plan, version()?, state.missing))?;
    }
    if let Some(path) = &common.svg {
        let picture = picture::svg(&state.lines).map_err(anyhow::Error::msg).context("no picture")?;
        write(path, &picture)?;
    }
    Ok(())
}

/// The figures as a table, the place as its head.
fn table(lines: &[SummaryRow], out: &mut dyn Write) -> Result<()> {
    let widest = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).max(6);
    let mut place = "";
    for line in lines {
        if line.place != place {
            place = &line.place;
            writeln!(out, "{STRONG}{place}{STRONG:#}")?;
            writeln!(
                out,
                "{FAINT}{:widest$} processors         speedup  median  overhead   load   perf.  slaves   sync.  no work{FAINT:#}",
                "engine"
            )?;
        }
        let mean = |measure: fn(&lab::Row) -> f64| 100.0 * line.estimate(measure).mean;
        writeln!(
            out,
            "{:widest$} {:>10} {:>15} {:>7.2} {:>8.1}% {:>5.1}% {:>6.1}% {:>6.1}% {:>6.1}% {:>7.1}%",
            line.name,
            line.processors,
            report::with_error(line.speedup(), 2),
            line.single().median,
            mean(|row| row.search_overhead),
            mean(|row| row.load),
            mean(|row| row.performance),
            mean(|row| row.part(row.measures.wait_for_slaves)),
            mean(|row| row.part(row.measures.synchronise)),
            mean(|row| row.part(row.measures.look_for_work)),
        )?;
    }
    Ok(())
}
