//! `multigame lab speedup`: how much faster several processors are.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use fabric::simulation::Network;
use game::signature::{Keys, choose_keys};
use lab::speedup::{Elsewhere, LabError, Row, Run, check};
use lab::{Conditions, Fabric, Order, Special, Subject};
use parallel::stealing::{Policy, TableKind};
use parallel::{Measures, processes};
use search::{Engine, Settings};
use serde_json::json;

use super::version::version;
use super::{Opening, PUZZLES, stoppable};
use crate::Exit;
use crate::cli::lab::{FabricName, KeysName, Speedup};
use crate::cli::{FAINT, Global, STRONG};
use crate::files::write;
use crate::numbers::grouped;
use crate::progress::Progress;
use crate::{cluster, interrupt};

/// Where it is not said on how many processors.
const PROCESSORS_USUAL: [usize; 5] = [1, 2, 4, 8, 16];

/// Searches of less depth use the processor's own table, if nothing else is said.
const TABLE_DEPTH: u8 = 1;

pub(super) fn run(options: &Speedup, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    options.choose_keys()?;
    options.check(global)?;
    if let Some(scheduling) = options.engine.puzzle {
        return super::puzzles::run(options, scheduling, options.fabric(global), global, out);
    }
    let opening = Opening {
        choice: &options.choice(),
        evaluation: options.judged.evaluation,
        suite: options.suite.as_deref(),
        first: options.first,
        only: None,
        of_puzzles: PUZZLES,
    };
    opening.with(&mut |subject| measure(subject, options, global, out))
}

impl Speedup {
    /// Signatures as they were asked for. Comes before the game is made.
    pub(super) fn choose_keys(&self) -> Result<()> {
        let keys = match self.signatures {
            KeysName::Mixed => return Ok(()),
            KeysName::Coded => Keys::Coded,
        };
        if self.game.starts_with("native:") {
            bail!("`{}` has the usual keys: --signatures coded is for rules", self.game);
        }
        if !choose_keys(keys) {
            bail!("--signatures came too late: a game has been made with other keys");
        }
        Ok(())
    }

    fn policy(&self) -> Policy {
        let chosen = self.engine.policy;
        Policy {
            depth_min: self.least_depth.unwrap_or_else(|| self.engine.usual_least_depth()),
            victims: self.ask.map_or(chosen.victims, |ask| ask.0),
            return_asks: chosen.return_asks && !self.no_return_requests,
            keeps_requests: chosen.keeps_requests || self.keep_requests,
            helps: chosen.helps && !self.no_help,
            slow_start: chosen.slow_start || self.slow_start,
            exchanges: chosen.exchanges || self.exchange,
            ..chosen
        }
    }

    fn settings(&self, global: &Global) -> Settings {
        let algorithm = self.algorithm.map_or(Engine::NegaScout, |algorithm| algorithm.value.0);
        let mut settings = lab::settings(algorithm, self.selective);
        settings.seed = global.seed.unwrap_or(settings.seed);
        settings
    }

    pub(super) fn fabric(&self, global: &Global) -> Fabric {
        match self.fabric {
            FabricName::Threads => Fabric::Threads,
            FabricName::Mpi => Fabric::Processes { threads: threads_of_process(global) },
            FabricName::Virtual => {
                let network = self.network.map_or(Network::INFINIBAND, |network| network.value);
                let topology = self.topology.map_or(network.topology, |topology| topology.value);
                Fabric::Virtual { network, topology }
            }
        }
    }

    /// The numbers of processors that are measured, the smallest first.
    pub(super) fn counts(&self, global: &Global) -> Vec<usize> {
        let mut counts: Vec<usize> = self.processors.iter().map(|count| *count as usize).collect();
        if counts.is_empty() {
            match self.fabric {
                FabricName::Mpi => counts.push(processes::count() * threads_of_process(global)),
                FabricName::Threads | FabricName::Virtual => counts.extend(PROCESSORS_USUAL),
            }
        }
        counts.push(1);
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// What is special about a search.
    pub(super) fn special(&self) -> Special {
        Special { faults: self.faults.unwrap_or_default().0, scheduling: self.engine.puzzle }
    }

    pub(super) fn conditions(&self, global: &Global) -> Conditions {
        Conditions {
            settings: self.settings(global),
            depth: self.depth,
            policy: self.policy(),
            fabric: self.fabric(global),
            tables: self.tables.map_or(TableKind::Partitioned, |kind| kind.value),
            table_bytes: (self.table as usize) << 10,
            table_depth: self.table_depth.unwrap_or(TABLE_DEPTH),
            prefetch: !self.no_prefetch,
            combine: self.combine.map_or(1, usize::from),
            ahead: self.ahead.map_or(0, usize::from),
            equal_memory: self.equal_memory,
            node_cost: self.node_cost.map(Duration::from_nanos),
        }
    }
}

fn measure(subject: &dyn Subject, options: &Speedup, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let conditions = options.conditions(global);
    let mut report = Report { options, global, out, name: subject.game(), rows: Vec::new() };
    report.head(subject.positions())?;
    subject.warm_up(&conditions)?;
    let (control, _stopper) = stoppable();
    let mut alone = Vec::new();
    for processors in options.counts(global) {
        let usual = Order::new(&conditions, 0, processors);
        let order = Order { special: options.special(), stop: Some(&control), ..usual };
        let Some(runs) = all_positions(subject, &order, &alone)? else {
            report.save()?;
            return Ok(Exit::Interrupted);
        };
        if processors == 1 {
            alone.clone_from(&runs);
        }
        report.add(Row::new(processors, &runs, &alone))?;
    }
    report.save()?;
    Ok(Exit::Success)
}

/// Searches all positions; `None` when somebody wants to stop.
fn all_positions(subject: &dyn Subject, order: &Order<'_>, alone: &[Run]) -> Result<Option<Vec<Run>>> {
    let (conditions, processors) = (order.conditions, order.processors);
    let mut runs = Vec::new();
    let mut progress = Progress::new();
    for position in 0..subject.positions() {
        let run = subject.perform(&Order { position, ..*order })?;
        if !processes::agree(!interrupt::requested()) {
            return Ok(None);
        }
        let is_right = match alone.get(position) {
            Some(alone) => check(conditions, position + 1, processors, &run, alone),
            None => Ok(()),
        };
        together(is_right)?;
        runs.push(run);
        let done = runs.len() as u64;
        progress.show(done, subject.positions() as u64, || format!("{processors} processors"));
    }
    Ok(Some(runs))
}

/// How many threads each process has.
pub(super) fn threads_of_process(global: &Global) -> usize {
    global.threads.unwrap_or(1) as usize
}

/// What a process has found to be right or wrong, unless it is wrong in another one.
pub(super) fn together<E: Into<LabError>>(found: Result<(), E>) -> Result<(), LabError> {
    let all_are_right = processes::agree(found.is_ok());
    found.map_err(Into::into)?;
    if all_are_right { Ok(()) } else { Err(Elsewhere.into()) }
}

/// What is told of an experiment.
struct Report<'run> {
    options: &'run Speedup,
    global: &'run Global,
    out: &'run mut dyn Write,
    name: &'run str,
    rows: Vec<Row>,
}

impl Report<'_> {
    fn head(&mut self, positions: usize) -> Result<()> {
        if self.global.json {
            return Ok(());
        }
        let options = self.options;
        let faults = options.faults.map_or(String::new(), |faults| format!(", faults {faults}"));
        writeln!(
            self.out,
            "{STRONG}{}{STRONG:#}, {positions} position{}, depth {}, {} on {}, seed {}{faults}",
            self.name,
            if positions == 1 { "" } else { "s" },
            options.depth,
            options.engine.name,
            options.fabric(self.global).name(),
            self.global.seed.unwrap_or(1),
        )?;
        writeln!(
            self.out,
            "{FAINT}processors  speedup  median  efficiency  overhead   load   perf.  slaves   sync.  no work      seconds           nodes   messages{FAINT:#}"
        )?;
        Ok(self.out.flush()?)
    }

    fn add(&mut self, row: Row) -> Result<()> {
        let per_cent = |part: f64| 100.0 * part;
        let measures = &row.measures;
        if self.global.json {
            writeln!(self.out, "{}", self.as_json(&row)?)?;
        } else {
            writeln!(
                self.out,
                "{:>10} {:>8.2} {:>7.2} {:>10.1}% {:>8.1}% {:>5.1}% {:>6.1}% {:>6.1}% {:>6.1}% {:>7.1}% {:>12.3} {:>15} {:>10}",
                row.processors,
                row.speedup,
                row.speedup_median,
                per_cent(row.efficiency()),
                per_cent(row.search_overhead),
                per_cent(row.load),
                per_cent(row.performance),
                per_cent(row.part(measures.wait_for_slaves)),
                per_cent(row.part(measures.synchronise)),
                per_cent(row.part(measures.look_for_work)),
                row.seconds,
                grouped(row.nodes),
                grouped(measures.message_count()),
            )?;
        }
        self.out.flush()?;
        self.rows.push(row);
        Ok(())
    }

    fn as_json(&self, row: &Row) -> Result<serde_json::Value> {
        let measures = &row.measures;
        let messages: serde_json::Map<String, serde_json::Value> = Measures::MESSAGES
            .iter()
            .zip(&measures.messages)
            .map(|(name, (count, bytes))| ((*name).to_owned(), json!({ "count": count, "bytes": bytes })))
            .collect();
        let mut line = json!({
            "game": self.name,
            "engine": self.options.engine.name,
            "fabric": self.options.fabric(self.global).name(),
            "depth": self.options.depth,
            "seed": self.global.seed.unwrap_or(1),
            "faults": self.options.faults.unwrap_or_default().to_string(),
            "version": version()?,
            "processors": row.processors,
            "speedup": row.speedup,
            "speedup_median": row.speedup_median,
            "efficiency": row.efficiency(),
            "search_overhead": row.search_overhead,
            "load": row.load,
            "performance": row.performance,
            "seconds": row.seconds,
            "nodes": row.nodes,
            "jobs": measures.jobs,
            "messages": messages,
        });
        row.parts().into_iter().for_each(|(name, part)| line[name] = part.into());
        Ok(line)
    }

    /// Writes the files that were asked for, as far as there are figures.
    fn save(&self) -> Result<()> {
        if !cluster::speaks() {
            return Ok(());
        }
        if let Some(path) = &self.options.csv {
            write(path, &self.csv()?)?;
        }
        if let Some(path) = &self.options.svg {
            let title = format!(
                "{}, {}, {}",
                self.name,
                self.options.engine.name,
                self.options.fabric(self.global).name()
            );
            let points: Vec<(usize, f64)> =
                self.rows.iter().map(|row| (row.processors, row.speedup)).collect();
            let picture = lab::curves::speedup_svg(&title, &points).map_err(anyhow::Error::msg)?;
            write(path, &picture)?;
        }
        Ok(())
    }

    /// One line for each number of processors, with all that its figures depend on.
    fn csv(&self) -> Result<String> {
        let mut text = "processors,speedup,speedup_median,efficiency,search_overhead,load,performance,seconds,nodes,jobs"
            .to_owned();
        let parts = self.rows.first().map(Row::parts).unwrap_or_default();
        parts.iter().for_each(|(name, _)| text += &format!(",{name}"));
        for kind in Measures::MESSAGES {
            let kind = kind.replace(' ', "_");
            text += &format!(",{kind}_messages,{kind}_bytes");
        }
        text += ",game,depth,engine,preset,topology,faults,seed,version\n";
        let options = self.options;
        let (preset, topology) = match options.fabric(self.global) {
            Fabric::Threads => ("threads", ""),
            Fabric::Processes { .. } => ("processes", ""),
            Fabric::Virtual { network, topology } => (network.name, topology.name()),
        };
        let faults = options.faults.unwrap_or_default().to_string().replace(',', " ");
        let seed = self.global.seed.unwrap_or(1);
        for row in &self.rows {
            let Row { processors, speedup, speedup_median, search_overhead, load, performance, .. } = row;
            let Row { seconds, nodes, measures, .. } = row;
            let efficiency = row.efficiency();
            text += &format!(
                "{processors},{speedup:.4},{speedup_median:.4},{efficiency:.4},{search_overhead:.4},"
            );
            text += &format!("{load:.4},{performance:.4},{seconds:.6},{nodes},{}", measures.jobs);
            for (_, part) in row.parts() {
                text += &part.map_or(",".to_owned(), |part| format!(",{part:.4}"));
            }
            for (count, bytes) in &measures.messages {
                text += &format!(",{count},{bytes}");
            }
            text += &format!(",{},{},{}", self.name, options.depth, options.engine.name);
            text += &format!(",{preset},{topology},{faults},{seed},{}\n", version()?);
        }
        Ok(text)
    }
}
