//! `multigame lab tune`: finds good values for a game and a machine, and keeps them.

use std::io::Write;

use anyhow::{Result, bail};
use lab::tuning::{Best, Knob, Tuning, tune};
use lab::{Conditions, Fabric, Subject};
use parallel::stealing::{Driver, Everybody, TableKind};
use search::{Engine, Settings};
use serde_json::json;

use super::Opening;
use crate::Exit;
use crate::cli::lab::{FabricName, Tune};
use crate::cli::{FAINT, Global, STRONG};
use crate::interrupt;
use crate::tuned::{self, THREADS, Tuned};

/// Searches of less depth use the processor's own table, until something better is found.
const TABLE_DEPTH: u8 = 1;
/// Runs on threads are repeated, and the fastest one counts: whatever else the machine does makes them slower.
const REPETITIONS: usize = 3;
/// More threads than this have no machine.
const THREADS_MAX: u64 = 512;

pub(super) fn run(options: &Tune, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let Some(game) = &options.game else { return show(global, out) };
    if options.forget {
        let count = tuned::forget(game)?;
        writeln!(out, "{game}: {count} forgotten")?;
        return Ok(Exit::Success);
    }
    check(options)?;
    // What could not be kept need not be measured.
    tuned::all()?;
    let opening = Opening {
        choice: &options.choice(game),
        evaluation: options.judged.evaluation,
        suite: options.suite.as_deref(),
        first: options.first,
        only: None,
    };
    opening.with(&mut |subject| find(subject, options, global, out))
}

/// Refuses what has nothing to tune.
fn check(options: &Tune) -> Result<()> {
    let policy = &options.engine.policy;
    let gives_away = policy.driver == Driver::Brothers && policy.everybody == Everybody::No;
    if options.engine.puzzle.is_some() || !gives_away {
        bail!("`{}` does not give brothers away: there is nothing to tune", options.engine.name);
    }
    if options.fabric == FabricName::Threads && options.processors > THREADS_MAX {
        bail!("at most {THREADS_MAX} threads: give --fabric virtual for more processors");
    }
    Ok(())
}

fn conditions(options: &Tune, tuning: &Tuning, global: &Global) -> Conditions {
    let (fabric, tables) = match options.fabric {
        FabricName::Threads => (Fabric::Threads, TableKind::Shared),
        FabricName::Virtual => {
            let network = options.network.value;
            (Fabric::Virtual { network, topology: network.topology }, options.tables.value)
        }
    };
    let mut settings = Settings::new(Engine::NegaScout).exact();
    settings.heuristics.quiescence = true;
    settings.seed = global.seed.unwrap_or(settings.seed);
    Conditions {
        settings,
        depth: options.depth,
        policy: tuning.applied(options.engine.policy),
        fabric,
        tables,
        table_bytes: (options.table as usize) << 10,
        table_depth: tuning.table_depth,
        prefetch: true,
        equal_memory: false,
        node_cost: None,
    }
}

/// What there is to find for such a machine.
fn knobs(conditions: &Conditions) -> Vec<Knob> {
    let mut knobs = vec![Knob::LeastDepth];
    match conditions.tables {
        TableKind::Replicated | TableKind::Asked => knobs.extend([Knob::TableDepth, Knob::Batch]),
        TableKind::Partitioned => knobs.push(Knob::TableDepth),
        TableKind::Shared | TableKind::Local => {}
    }
    knobs
}

fn find(subject: &dyn Subject, options: &Tune, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let start = Tuning::of(&options.engine.policy, TABLE_DEPTH);
    let first = conditions(options, &start, global);
    let knobs = knobs(&first);
    let names: Vec<&str> = knobs.iter().map(|knob| knob.name()).collect();
    let place = match first.fabric {
        Fabric::Threads => THREADS.to_owned(),
        fabric @ Fabric::Virtual { .. } => fabric.name(),
    };
    let processors = options.processors as usize;
    if !global.json {
        let game = subject.game();
        writeln!(out, "{STRONG}{game}{STRONG:#} on {processors} processors, {place}: {}", names.join(", "))?;
        writeln!(out, "{FAINT}least depth  table depth  entries      seconds{FAINT:#}")?;
    }
    let mut measure = |tuning: &Tuning| -> Result<f64> {
        let seconds = seconds(subject, &conditions(options, tuning, global), processors)?;
        if !global.json {
            let Tuning { least_depth, table_depth, batch } = tuning;
            writeln!(out, "{least_depth:>11} {table_depth:>12} {batch:>8} {seconds:>12.6}")?;
            out.flush()?;
        }
        Ok(seconds)
    };
    let found = tune(start, &knobs, &mut measure);
    if interrupt::requested() {
        return Ok(Exit::Interrupted);
    }
    let Best { tuning, seconds, seconds_before } = found?;
    let game = subject.game().to_owned();
    tuned::keep(Tuned { game, place, processors, tuning })?;
    say(&tuning, seconds_before / seconds.max(f64::MIN_POSITIVE), subject.game(), global, out)
}

fn say(best: &Tuning, gain: f64, game: &str, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let Tuning { least_depth, table_depth, batch } = best;
    if global.json {
        let found = json!({
            "game": game,
            "least_depth": least_depth,
            "table_depth": table_depth,
            "batch": batch,
            "gain": gain,
        });
        writeln!(out, "{found}")?;
    } else {
        writeln!(
            out,
            "best: least depth {least_depth}, table depth {table_depth}, {batch} entries in a message: {gain:.2} times \
             as fast as usual; kept in {}",
            tuned::path()?.display()
        )?;
    }
    Ok(Exit::Success)
}

/// The time of all positions together.
fn seconds(subject: &dyn Subject, conditions: &Conditions, processors: usize) -> Result<f64> {
    let repetitions = if conditions.fabric == Fabric::Threads { REPETITIONS } else { 1 };
    let mut sum = 0.0;
    for position in 0..subject.positions() {
        let mut least = f64::INFINITY;
        for _ in 0..repetitions {
            if interrupt::requested() {
                bail!("stopped");
            }
            least = least.min(subject.run(conditions, position, processors)?.seconds);
        }
        sum += least;
    }
    Ok(sum)
}

/// Shows what was found.
fn show(global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let all = tuned::all()?;
    if all.is_empty() && !global.json {
        writeln!(out, "nothing is tuned yet: give a game")?;
    }
    for Tuned { game, place, processors, tuning } in all {
        let Tuning { least_depth, table_depth, batch } = tuning;
        if global.json {
            let found = json!({
                "game": game,
                "place": place,
                "processors": processors,
                "least_depth": least_depth,
                "table_depth": table_depth,
                "batch": batch,
            });
            writeln!(out, "{found}")?;
        } else {
            writeln!(
                out,
                "{game}, {processors} processors, {place}: least depth {least_depth}, table depth {table_depth}, \
                 {batch} entries in a message"
            )?;
        }
    }
    Ok(Exit::Success)
}
