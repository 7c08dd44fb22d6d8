//! `multigame lab tune`: finds good values for a game and a machine, and keeps them.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, bail};
use lab::experiment::names::Named;
use lab::tuning::{Best, Knob, Timing, Tuning, tune};
use lab::{Conditions, Fabric, Order, Subject};
use parallel::habits::Habit;
use parallel::stealing::{Driver, Everybody, TableKind};
use search::{Control, Engine};

use super::timing::{Trial, deep_enough, go_on, timing};
use super::{Opening, check_memory, stoppable};
use crate::Exit;
use crate::cli::lab::{NamedPolicy, Tune, TunedFabric};
use crate::cli::{FAINT, Global, STRONG};
use crate::{interrupt, tuned};

/// Searches of less depth use the processor's own table, until something better is found.
const TABLE_DEPTH: u8 = 1;
/// How deep virtual processors search, and real ones begin to, if nothing is said.
pub(super) const DEPTH: i32 = 6;
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
    check_memory(options.processors as usize, u64::from(options.table), "--table")?;
    // What could not be kept need not be measured.
    tuned::all()?;
    let opening = Opening {
        choice: &options.choice(game),
        evaluation: options.judged.evaluation,
        suite: options.suite.as_deref(),
        first: options.first,
        only: None,
        of_puzzles: "give --engine tds to tune how a puzzle is shared out",
    };
    opening.with(&mut |subject| find_all(subject, &engines, options, global, out))
}

/// Refuses what has nothing to tune.
fn check(engine: &NamedPolicy, options: &Tune) -> Result<()> {
    let (name, policy) = (engine.name, &engine.policy);
    let shares = match policy.everybody {
        Everybody::No => policy.driver == Driver::Brothers,
        // Peers tell each other of nodes through memory that they share.
        Everybody::Defers => options.fabric == TunedFabric::Threads,
        Everybody::Meets => false,
    };
    if !shares {
        bail!("`{name}` does not choose which nodes are shared: there is nothing to tune");
    }
    if options.fabric == TunedFabric::Threads && options.processors > THREADS_MAX {
        bail!("at most {THREADS_MAX} threads: give --fabric virtual for more processors");
    }
    if options.fabric == TunedFabric::Threads
        && let Some(tables) = options.tables
    {
        bail!("threads have one table: --tables {} is for --fabric virtual, leave it out", tables.name);
    }
    Ok(())
}

/// What is searched, whatever is tuned.
struct Search<'run> {
    subject: &'run dyn Subject,
    options: &'run Tune,
    global: &'run Global,
    depth: i32,
    control: &'run Arc<Control>,
}

impl Search<'_> {
    fn conditions(&self, engine: &NamedPolicy, tuning: &Tuning) -> Conditions {
        let options = self.options;
        let fabric = options.fabric();
        let mut settings = lab::settings(Engine::NegaScout, options.selective);
        settings.seed = self.global.seed.unwrap_or(settings.seed);
        Conditions {
            settings,
            depth: self.depth,
            policy: tuning.applied(engine.policy),
            fabric,
            tables: options.kind_of_table().map_or(TableKind::Shared, |kind| kind.value),
            table_bytes: (options.table as usize) << 10,
            table_depth: tuning.table_depth,
            prefetch: true,
            combine: 1,
            ahead: 0,
            equal_memory: false,
            node_cost: None,
        }
    }

    /// The time of all positions together.
    fn seconds(&self, conditions: &Conditions) -> Result<f64> {
        let mut sum = 0.0;
        for position in 0..self.subject.positions() {
            go_on()?;
            let order = Order::new(conditions, position, self.options.processors as usize);
            sum += self.subject.perform(&Order { stop: Some(self.control), ..order })?.seconds;
            go_on()?;
        }
        Ok(sum)
    }

    /// The same, known well enough to be compared.
    fn timing(&self, conditions: &Conditions) -> Result<Timing> {
        timing(conditions.fabric, &mut || self.seconds(conditions))
    }

    /// The depth that was asked for; otherwise one at which real processors take long enough.
    fn deep_enough(self, engine: &NamedPolicy) -> Result<Self> {
        if self.options.depth.is_some() || self.options.fabric == TunedFabric::Virtual {
            return Ok(self);
        }
        let start = Tuning::of(&engine.policy, TABLE_DEPTH);
        let depth = deep_enough(self.depth, 1, &mut |depth| {
            let conditions = Conditions { depth, ..self.conditions(engine, &start) };
            Ok(Trial { seconds: self.seconds(&conditions)?, is_over: false })
        })?;
        Ok(Search { depth, ..self })
    }
}

impl Tune {
    /// The processors.
    pub(super) fn fabric(&self) -> Fabric {
        let network = self.network.value;
        match self.fabric {
            TunedFabric::Threads => Fabric::Threads,
            TunedFabric::Virtual => Fabric::Virtual { network, topology: network.topology },
        }
    }

    /// Where what is found counts.
    pub(super) fn place(&self) -> String {
        match self.fabric() {
            Fabric::Threads => Habit::THREADS.to_owned(),
            fabric @ (Fabric::Processes { .. } | Fabric::Virtual { .. }) => fabric.name(),
        }
    }

    /// Threads have one table.
    fn kind_of_table(&self) -> Option<Named<TableKind>> {
        match self.fabric {
            TunedFabric::Threads => Named::of(TableKind::Shared),
            TunedFabric::Virtual => self.tables.or_else(|| Named::of(TableKind::Asked)),
        }
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
    let (control, _stopper) = stoppable();
    let depth = options.depth.unwrap_or(DEPTH);
    let search = Search { subject, options, global, depth, control: &control };
    let found_all = search.deep_enough(&engines[0]).and_then(|search| {
        engines.iter().try_for_each(|engine| {
            let best = find(&search, engine, out)?;
            let habit = Habit {
                game: subject.game().to_owned(),
                place: options.place(),
                tables: options.kind_of_table().map_or("", |kind| kind.name).to_owned(),
                processors: options.processors as usize,
                engine: engine.name.to_owned(),
                is_fastest: false,
                tuning: best.tuning,
            };
            found.push((habit, best));
            Ok(())
        })
    });
    if interrupt::requested() {
        return Ok(Exit::Interrupted);
    }
    found_all?;
    mark_fastest(&mut found);
    let habits: Vec<Habit> = found.iter().map(|(habit, _)| habit.clone()).collect();
    // What was found is told even if it cannot be kept.
    found.iter().try_for_each(|(habit, best)| say(habit, best, global, out))?;
    tuned::keep(&habits)?;
    if !global.json {
        writeln!(out, "kept in {}", tuned::path()?.display())?;
    }
    Ok(Exit::Success)
}

/// Of several engines the first one is the usual one: another is the fastest if that is no chance.
fn mark_fastest(found: &mut [(Habit, Best)]) {
    if found.len() < 2 {
        return;
    }
    let better = |best: usize, other: usize| {
        if found[other].1.timing.is_better_than(&found[best].1.timing) { other } else { best }
    };
    let fastest = (1..found.len()).fold(0, better);
    found[fastest].0.is_fastest = true;
}

fn find(search: &Search<'_>, engine: &NamedPolicy, out: &mut dyn Write) -> Result<Best> {
    let start = Tuning::of(&engine.policy, TABLE_DEPTH);
    let first = search.conditions(engine, &start);
    let knobs = knobs(&first);
    let names: Vec<&str> = knobs.iter().map(|knob| knob.name()).collect();
    let is_told = !search.global.json;
    if is_told {
        let (game, place, processors) =
            (search.subject.game(), first.fabric.name(), search.options.processors);
        let (engine, depth, names) = (engine.name, search.depth, names.join(", "));
        writeln!(
            out,
            "{STRONG}{game}{STRONG:#} on {processors} processors, {place}, {engine}, depth {depth}: {names}"
        )?;
        writeln!(out, "{FAINT}least depth  table depth  entries      seconds      error{FAINT:#}")?;
    }
    let mut measure = |tuning: &Tuning| -> Result<Timing> {
        let timing = search.timing(&search.conditions(engine, tuning))?;
        if is_told {
            let Tuning { least_depth, table_depth, batch } = tuning;
            let Timing { seconds, error } = timing;
            writeln!(out, "{least_depth:>11} {table_depth:>12} {batch:>8} {seconds:>12.6} {error:>10.6}")?;
            out.flush()?;
        }
        Ok(timing)
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
    let Timing { seconds, error } = best.timing;
    let gain = best.before.seconds / seconds.max(f64::MIN_POSITIVE);
    if global.json {
        let mut found = tuned::as_json(habit);
        found["seconds"] = seconds.into();
        found["error"] = error.into();
        found["gain"] = gain.into();
        writeln!(out, "{found}")?;
        return Ok(());
    }
    let (values, fastest) = (in_words(habit), if habit.is_fastest { "; the fastest" } else { "" });
    writeln!(out, "best of {values}: {gain:.2} times as fast as usual, {seconds:.3} s{fastest}")?;
    Ok(())
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
        let Habit { game, place, tables, processors, is_fastest, .. } = &habit;
        let (values, fastest) = (in_words(&habit), if *is_fastest { "; the fastest" } else { "" });
        // Threads have one table, and puzzles a kind of their own.
        let tables = if habit.is_of_threads() || tables.is_empty() {
            String::new()
        } else {
            format!(", {tables} tables")
        };
        writeln!(out, "{game}, {processors} processors, {place}{tables}, {values}{fastest}")?;
    }
    Ok(Exit::Success)
}
