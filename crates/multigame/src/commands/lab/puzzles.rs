//! `multigame lab speedup` for puzzles.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use database::Parts;
use game::motion::{Motion, State};
use game::{Game, GameInfo, Position};
use lab::Fabric;
use lab::curves::speedup_svg;
use lab::puzzles::{Experiment, Row};
use parallel::processes;
use parallel::tds::{Carrying, Grain, Scheduling, Settings};
use search::one_player::PieceByPiece;
use serde_json::json;

use super::layouts::{MEMORY, Wanted, motion, tables};
use super::speedup::together;
use super::version::version;
use crate::cli::lab::Speedup;
use crate::cli::{FAINT, Global, STRONG};
use crate::databases::{self, Tables};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::numbers::grouped;
use crate::progress::Progress;
use crate::{Exit, cluster, interrupt};

/// Puzzles are shared out by other rules than games for two.
pub(super) fn run(
    options: &Speedup,
    scheduling: Scheduling,
    fabric: Fabric,
    global: &Global,
    out: &mut dyn Write,
) -> Result<Exit> {
    let work = Measure { options, scheduling, fabric, global, out };
    with_player(&options.choice(), options.judged, work)
}

struct Measure<'run> {
    options: &'run Speedup,
    scheduling: Scheduling,
    fabric: Fabric,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Measure<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Measure { options, scheduling, fabric, global, out } = self;
        let info = game.info();
        if info.players != 1 {
            bail!("`{}` is no puzzle: {} is for games of one player", info.name, options.engine.name);
        }
        measure(game, &start, options, scheduling, fabric, (global, out))
    }
}

fn measure<G: Game>(
    game: &G,
    start: &Position,
    options: &Speedup,
    scheduling: Scheduling,
    fabric: Fabric,
    (global, out): (&Global, &mut dyn Write),
) -> Result<Exit> {
    let info = game.info();
    let motion = motion(game)?;
    let wanted = Wanted {
        suite: options.suite.as_deref(),
        first: options.first,
        only: None,
        seed: global.seed.unwrap_or(1),
    };
    let states = wanted.states(game, &motion, start)?;
    let experiment = Experiment {
        settings: settings(info, options, scheduling, fabric, global),
        fabric,
        table_bytes: (options.table as usize) << 10,
        equal_memory: options.equal_memory,
        faults: options.faults.unwrap_or_default().0,
    };
    let mut report = Report { options, global, out, info, rows: Vec::new() };
    let distances = PieceByPiece::new(&motion);
    if options.divided {
        if scheduling != Scheduling::Home {
            bail!("--divided is for --engine tds: states go where their entries are");
        }
        report.head(states.len(), scheduling, fabric)?;
        let threads = databases::threads(global.threads);
        let divide = |processors: usize| {
            let places = (processors, 0..processors);
            let parts = databases::parts(&info.name, &motion, MEMORY, threads, places)?;
            let parts =
                parts.with_context(|| format!("there are no pattern databases for `{}`", info.name))?;
            Ok(parts.0)
        };
        return report.measure(&experiment, &motion, &distances, Some(&divide), &states);
    }
    let tables = tables(info, &motion, options.patterns, global.threads)?;
    report.head(states.len(), scheduling, fabric)?;
    match tables {
        Some(Tables::Patterns(bounds)) => report.measure(&experiment, &motion, &bounds, None, &states),
        Some(Tables::Cosets(bounds)) => report.measure(&experiment, &motion, &bounds, None, &states),
        None => report.measure(&experiment, &motion, &distances, None, &states),
    }
}

fn settings(
    info: &GameInfo,
    options: &Speedup,
    scheduling: Scheduling,
    fabric: Fabric,
    global: &Global,
) -> Settings {
    let node_cost = options.node_cost.map(Duration::from_nanos);
    let usual = lab::puzzles::settings(&info.name, scheduling, fabric, node_cost);
    let grain = options.least_depth.map_or(usual.grain, |moves| Grain::Left(moves as u32));
    let seed = global.seed.unwrap_or(usual.seed);
    Settings { last_bound: Some(options.depth as u32), grain, seed, ..usual }
}

/// Divides databases among so many processors.
type Divide<'run> = &'run dyn Fn(usize) -> Result<Parts>;

struct Report<'run> {
    options: &'run Speedup,
    global: &'run Global,
    out: &'run mut dyn Write,
    info: &'run GameInfo,
    rows: Vec<Row>,
}

impl Report<'_> {
    fn measure<B: game::motion::Bounds>(
        mut self,
        experiment: &Experiment,
        motion: &Motion,
        bounds: &B,
        divide: Option<Divide<'_>>,
        states: &[State],
    ) -> Result<Exit> {
        let mut alone = Vec::new();
        for processors in self.options.counts(self.global) {
            let parts = divide.map(|divide| divide(processors)).transpose()?;
            if let Some(parts) = &parts {
                self.say_parts(processors, parts)?;
            }
            let mut runs = Vec::new();
            let mut progress = Progress::new();
            for (index, state) in states.iter().enumerate() {
                let mut space = Carrying::new(motion, state, bounds);
                if let Some(parts) = &parts {
                    space = space.divided(parts);
                }
                let run = experiment.run_watched(&space, processors, None, &interrupt::requested)?;
                if !processes::agree(!interrupt::requested()) {
                    self.save()?;
                    return Ok(Exit::Interrupted);
                }
                let is_right =
                    Experiment::check(index + 1, processors, &run, alone.get(index).unwrap_or(&run));
                together(is_right)?;
                runs.push(run);
                progress.show(runs.len() as u64, states.len() as u64, || format!("{processors} processors"));
            }
            progress.clear();
            if processors == 1 {
                alone.clone_from(&runs);
            }
            self.add(Row::new(processors, &runs, &alone))?;
        }
        self.save()?;
        Ok(Exit::Success)
    }

    fn say_parts(&mut self, processors: usize, parts: &Parts) -> Result<()> {
        if !self.global.json {
            let most = grouped(parts.bytes_most() as u64);
            writeln!(self.out, "{FAINT}databases: {processors} parts of at most {most} bytes{FAINT:#}")?;
        }
        Ok(())
    }

    fn head(&mut self, positions: usize, scheduling: Scheduling, fabric: Fabric) -> Result<()> {
        if self.global.json {
            return Ok(());
        }
        let engine = match scheduling {
            Scheduling::Home => "tds",
            Scheduling::Stealing => "stealing",
        };
        writeln!(
            self.out,
            "{STRONG}{}{STRONG:#}, {positions} position{}, bound {}, {engine} on {}, seed {}",
            self.info.name,
            if positions == 1 { "" } else { "s" },
            self.options.depth,
            fabric.name(),
            self.global.seed.unwrap_or(1),
        )?;
        let head = "processors  speedup  efficiency  overhead   load  imbalance      seconds           nodes   \
                    messages  bytes each";
        writeln!(self.out, "{FAINT}{head}{FAINT:#}")?;
        Ok(self.out.flush()?)
    }

    fn add(&mut self, row: Row) -> Result<()> {
        let effort = &row.effort;
        let efficiency = row.efficiency();
        if self.global.json {
            let line = json!({
                "game": self.info.name,
                "engine": self.options.engine.name,
                "fabric": self.options.fabric(self.global).name(),
                "depth": self.options.depth,
                "bound": self.options.depth,
                "seed": self.global.seed.unwrap_or(1),
                "faults": self.options.faults.unwrap_or_default().to_string(),
                "version": version()?,
                "processors": row.processors,
                "speedup": row.speedup,
                "speedup_median": row.speedup_median,
                "efficiency": efficiency,
                "search_overhead": row.search_overhead,
                "load": row.load,
                "performance": row.performance,
                "synchronisation": row.part(effort.held),
                "no_work": row.part(effort.idle),
                "imbalance": row.imbalance,
                "seconds": row.seconds,
                "nodes": effort.nodes,
                "expansions": effort.expansions,
                "known": effort.known,
                "dives": effort.dives,
                "messages": { "work": { "count": effort.messages, "bytes": effort.bytes } },
                "open_most": effort.open_most,
            });
            writeln!(self.out, "{line}")?;
        } else {
            writeln!(
                self.out,
                "{:>10} {:>8.2} {:>10.1}% {:>8.1}% {:>5.1}% {:>9.1}% {:>12.3} {:>15} {:>10} {:>11}",
                row.processors,
                row.speedup,
                100.0 * efficiency,
                100.0 * row.search_overhead,
                100.0 * row.load,
                100.0 * row.imbalance,
                row.seconds,
                grouped(effort.nodes),
                grouped(effort.messages),
                effort.bytes / effort.messages.max(1),
            )?;
        }
        self.rows.push(row);
        Ok(self.out.flush()?)
    }

    /// Writes the files that were asked for, as far as there are figures.
    fn save(&self) -> Result<()> {
        if !cluster::speaks() {
            return Ok(());
        }
        if let Some(path) = &self.options.csv {
            let mut text =
                "game,engine,bound,processors,speedup,efficiency,search_overhead,load,performance,synchronisation,no_work,imbalance,seconds,nodes,messages,bytes,fabric,faults,seed,version\n"
                    .to_owned();
            let (fabric, seed, version) =
                (self.options.fabric(self.global).name(), self.global.seed.unwrap_or(1), version()?);
            let faults = self.options.faults.unwrap_or_default().to_string().replace(',', " ");
            let (game, engine, bound) = (&self.info.name, self.options.engine.name, self.options.depth);
            for row in &self.rows {
                let Row {
                    processors,
                    speedup,
                    search_overhead,
                    load,
                    performance,
                    imbalance,
                    seconds,
                    effort,
                    ..
                } = row;
                let (efficiency, held, idle) =
                    (row.efficiency(), row.part(effort.held), row.part(effort.idle));
                text += &format!(
                    "{game},{engine},{bound},{processors},{speedup:.4},{efficiency:.4},{search_overhead:.4},"
                );
                text += &format!(
                    "{load:.4},{performance:.4},{held:.4},{idle:.4},{imbalance:.4},{seconds:.6},{},",
                    effort.nodes
                );
                text += &format!("{},{},{fabric},{faults},{seed},{version}\n", effort.messages, effort.bytes);
            }
            std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        if let Some(path) = &self.options.svg {
            let title = format!("{}, {}", self.info.name, self.options.engine.name);
            let points: Vec<(usize, f64)> =
                self.rows.iter().map(|row| (row.processors, row.speedup)).collect();
            let picture = speedup_svg(&title, &points).map_err(anyhow::Error::msg)?;
            std::fs::write(path, picture).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(())
    }
}
