//! `multigame lab tune`: finds good values for a game and a machine, and keeps them.

use std::io::Write;

use anyhow::{Result, bail};
use lab::tuning::{Best, Knob, Tuning, tune};
use lab::{Conditions, Fabric, Subject};
use parallel::habits::Habit;
use parallel::stealing::{Driver, Everybody, TableKind};
use search::Engine;

use super::Opening;
use crate::Exit;
use crate::cli::lab::{FabricName, NamedPolicy, Tune};
use crate::cli::{FAINT, Global, STRONG};
use crate::{interrupt, tuned};

/// Searches of less depth use the processor's own table, until something better is found.
const TABLE_DEPTH: u8 = 1;
/// Runs on threads are repeated, and the fastest one counts: whatever else the machine does makes them slower.
pub(super) const REPETITIONS: usize = 3;
/// More threads than this have no machine.
const THREADS_MAX: u64 = 512;

pub(super) fn run(options: &Tune, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let Some(game) = &options.game else { return show(global, out) };
    if options.forget {
        let count = tuned::forget(game)?;
        writeln!(out, "{game}: {count} forgotten")?;
        return Ok(Exit::Success);
    }
    if let Some(scheduling) = options.engine.and_then(|engine| engine.puzzle) {
        tuned::all()?;
        return super::tune_puzzle::run(options, game, scheduling, global, out);
    }
    let engines = options.engines();
    engines.iter().try_for_each(|engine| check(engine, options))?;
    // What could not be kept need not be measured.
    tuned::all()?;
    let opening = Opening {
        choice: &options.choice(game),
        evaluation: options.judged.evaluation,
        suite: options.suite.as_deref(),
        first: options.first,
        only: None,
    };
    opening.with(&mut |subject| find_all(subject, &engines, options, global, out))
}

/// Refuses what has nothing to tune.
fn check(engine: &NamedPolicy, options: &Tune) -> Result<()> {
    let (name, policy) = (engine.name, &engine.policy);
    let shares = match policy.everybody {
        Everybody::No => policy.driver == Driver::Brothers,
        // Peers tell each other of nodes through memory that they share.
        Everybody::Defers => options.fabric == FabricName::Threads,
        Everybody::Meets => false,
    };
    if !shares {
        bail!("`{name}` does not choose which nodes are shared: there is nothing to tune");
    }
    if options.fabric == FabricName::Threads && options.processors > THREADS_MAX {
        bail!("at most {THREADS_MAX} threads: give --fabric virtual for more processors");
    }
    Ok(())
}

fn conditions(engine: &NamedPolicy, options: &Tune, tuning: &Tuning, global: &Global) -> Conditions {
    let (fabric, tables) = match options.fabric {
        FabricName::Threads => (Fabric::Threads, TableKind::Shared),
        FabricName::Virtual => {
            let network = options.network.value;
            (Fabric::Virtual { network, topology: network.topology }, options.tables.value)
        }
    };
    let mut settings = lab::settings(Engine::NegaScout, options.selective);
    settings.seed = global.seed.unwrap_or(settings.seed);
    Conditions {
        settings,
        depth: options.depth,
        policy: tuning.applied(engine.policy),
        fabric,
        tables,
        table_bytes: (options.table as usize) << 10,
        table_depth: tuning.table_depth,
        prefetch: true,
        equal_memory: false,
        node_cost: None,
    }
}

/// What there is to find for such processors.
fn knobs(conditions: &Conditions) -> Vec<Knob> {
    if conditions.policy.everybody == Everybody::Defers {
        return vec![Knob::ToldDepth];
    }
    let mut knobs = vec![Knob::LeastDepth];
    match conditions.tables {
        TableKind::Replicated | TableKind::Asked => knobs.extend([Knob::TableDepth, Knob::Batch]),
        TableKind::Partitioned => knobs.push(Knob::TableDepth),
        TableKind::Shared | TableKind::Local => {}
    }
    knobs
}

/// Finds values for one engine after the other, and which of them is the fastest.
fn find_all(
    subject: &dyn Subject,
    engines: &[NamedPolicy],
    options: &Tune,
    global: &Global,
    out: &mut dyn Write,
) -> Result<Exit> {
    let mut found: Vec<(Habit, Best)> = Vec::new();
    for engine in engines {
        let best = find(subject, engine, options, global, out);
        if interrupt::requested() {
            return Ok(Exit::Interrupted);
        }
        let best = best?;
        let start = Tuning::of(&engine.policy, TABLE_DEPTH);
        let place = match conditions(engine, options, &start, global).fabric {
            Fabric::Threads => Habit::THREADS.to_owned(),
            fabric @ Fabric::Virtual { .. } => fabric.name(),
        };
        let habit = Habit {
            game: subject.game().to_owned(),
            place,
            processors: options.processors as usize,
            engine: engine.name.to_owned(),
            is_fastest: false,
            tuning: best.tuning,
        };
        found.push((habit, best));
    }
    let least = found.iter().map(|(_, best)| best.seconds).fold(f64::INFINITY, f64::min);
    if let Some((habit, _)) = found.iter_mut().find(|(_, best)| best.seconds <= least)
        && engines.len() > 1
    {
        habit.is_fastest = true;
    }
    let habits: Vec<Habit> = found.iter().map(|(habit, _)| habit.clone()).collect();
    tuned::keep(&habits)?;
    found.iter().try_for_each(|(habit, best)| say(habit, best, global, out))?;
    if !global.json {
        writeln!(out, "kept in {}", tuned::path()?.display())?;
    }
    Ok(Exit::Success)
}

fn find(
    subject: &dyn Subject,
    engine: &NamedPolicy,
    options: &Tune,
    global: &Global,
    out: &mut dyn Write,
) -> Result<Best> {
    let start = Tuning::of(&engine.policy, TABLE_DEPTH);
    let first = conditions(engine, options, &start, global);
    let knobs = knobs(&first);
    let names: Vec<&str> = knobs.iter().map(|knob| knob.name()).collect();
    let processors = options.processors as usize;
    if !global.json {
        let (game, place) = (subject.game(), first.fabric.name());
        let (engine, names) = (engine.name, names.join(", "));
        writeln!(out, "{STRONG}{game}{STRONG:#} on {processors} processors, {place}, {engine}: {names}")?;
        writeln!(out, "{FAINT}least depth  table depth  entries      seconds{FAINT:#}")?;
    }
    let mut measure = |tuning: &Tuning| -> Result<f64> {
        let seconds = seconds(subject, &conditions(engine, options, tuning, global), processors)?;
        if !global.json {
            let Tuning { least_depth, table_depth, batch } = tuning;
            writeln!(out, "{least_depth:>11} {table_depth:>12} {batch:>8} {seconds:>12.6}")?;
            out.flush()?;
        }
        Ok(seconds)
    };
    tune(start, &knobs, &mut measure)
}

/// The values of an engine in words.
pub(super) fn in_words(habit: &Habit) -> String {
    let Tuning { least_depth, table_depth, batch } = &habit.tuning;
    let engine = &habit.engine;
    match engine.as_str() {
        "tds" | "stealing" => format!("{engine}: {batch} states in a message"),
        _ => format!(
            "{engine}: least depth {least_depth}, table depth {table_depth}, {batch} entries in a message"
        ),
    }
}

/// Says what was found for an engine.
pub(super) fn say(habit: &Habit, best: &Best, global: &Global, out: &mut dyn Write) -> Result<()> {
    let gain = best.seconds_before / best.seconds.max(f64::MIN_POSITIVE);
    if global.json {
        let mut found = tuned::as_json(habit);
        found["seconds"] = best.seconds.into();
        found["gain"] = gain.into();
        writeln!(out, "{found}")?;
        return Ok(());
    }
    let (values, fastest) = (in_words(habit), if habit.is_fastest { "; the fastest" } else { "" });
    let seconds = best.seconds;
    writeln!(out, "best of {values}: {gain:.2} times as fast as usual, {seconds:.3} s{fastest}")?;
    Ok(())
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
    for habit in all {
        if global.json {
            writeln!(out, "{}", tuned::as_json(&habit))?;
            continue;
        }
        let Habit { game, place, processors, is_fastest, .. } = &habit;
        let (values, fastest) = (in_words(&habit), if *is_fastest { "; the fastest" } else { "" });
        writeln!(out, "{game}, {processors} processors, {place}, {values}{fastest}")?;
    }
    Ok(Exit::Success)
}
