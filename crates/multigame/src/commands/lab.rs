//! `multigame lab`: experiments with parallel searches.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use game::{Game, Position};
use lab::speedup::{Experiment, Fabric, Row, Run};
use parallel::Measures;
use parallel::stealing::{Policy, Victims};
use search::{Control, Knowledge, Limits, Resources, Root, Settings, TimeLimit};
use serde_json::json;
use table::{Bucketed, Replacement};

use crate::Exit;
use crate::cli::lab::{AskName, Calibrate, FabricName, Lab, LabCommand, Speedup};
use crate::cli::{FAINT, Global, STRONG};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::numbers::grouped;
use crate::progress::Progress;
use crate::{interrupt, library};

/// Hops of a request that neighbours pass on, and sons in a fixed tree: those of Zugzwang.
const HOPS: u8 = 8;
const SONS: u32 = 16;

pub(super) fn run(options: &Lab, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    match &options.experiment {
        LabCommand::Speedup(options) => {
            let work = Measure { options, global, out };
            with_player(&options.choice(), options.judged.evaluation, work)
        }
        LabCommand::Calibrate(options) => {
            let work = Cost { options, global, out };
            with_player(&options.choice, options.judged.evaluation, work)
        }
    }
}

fn two_players<G: Game>(game: &G) -> Result<()> {
    let info = game.info();
    if info.players != 2 {
        bail!("`{}` is not a game for two: give --engine tds or stealing for puzzles", info.name);
    }
    Ok(())
}

fn one_player<G: Game>(game: &G, engine: &str) -> Result<()> {
    let info = game.info();
    if info.players != 1 {
        bail!("`{}` is no puzzle: {engine} is for games of one player", info.name);
    }
    Ok(())
}

struct Measure<'run> {
    options: &'run Speedup,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Speedup {
    fn policy(&self) -> Policy {
        let chosen = self.engine.policy;
        Policy {
            depth_min: self.least_depth,
            victims: match self.ask {
                AskName::Anybody => Victims::Anybody,
                AskName::Neighbours => Victims::Neighbours { hops: HOPS },
                AskName::Father => Victims::Father { sons: SONS },
            },
            return_asks: !self.no_return_requests,
            helps: !self.no_help,
            slow_start: self.slow_start,
            ..chosen
        }
    }

    fn settings(&self, global: &Global) -> Settings {
        let mut settings = Settings::new(self.algorithm);
        if !self.selective {
            settings = settings.exact();
            settings.heuristics.quiescence = true;
        }
        settings.seed = global.seed.unwrap_or(settings.seed);
        settings
    }

    fn fabric(&self) -> Fabric {
        match self.fabric {
            FabricName::Threads => Fabric::Threads,
            FabricName::Virtual => Fabric::Virtual {
                network: self.network,
                topology: self.topology.unwrap_or(self.network.topology),
            },
        }
    }

    /// Where the processors are, in words.
    fn place(&self) -> String {
        match self.fabric() {
            Fabric::Threads => "threads".to_owned(),
            Fabric::Virtual { network, topology } => format!("virtual {} {}", network.name, topology.name()),
        }
    }
}

impl Work for Measure<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Measure { options, global, out } = self;
        if let Some(scheduling) = options.engine.puzzle {
            one_player(game, options.engine.name)?;
            let fabric = options.fabric();
            return super::lab_puzzles::measure(game, &start, options, scheduling, fabric, (global, out));
        }
        two_players(game)?;
        let roots = roots(game, options, start)?;
        let first = game.info().start.as_ref().unwrap_or(&game.unpack(&roots[0].position)).clone();
        let knowledge = Knowledge::learn(game, &first)?;
        let node_cost =
            options.node_cost.map_or_else(|| lab::cost::node_cost(&game.info().name), Duration::from_nanos);
        let experiment = Experiment {
            game,
            roots: &roots,
            settings: options.settings(global),
            depth: options.depth,
            knowledge: &knowledge,
            policy: options.policy(),
            fabric: options.fabric(),
            tables: options.tables.kind(),
            table_bytes: (options.table as usize) << 10,
            equal_memory: options.equal_memory,
            node_cost,
        };
        let mut report = Report { options, global, out, name: &game.info().name, rows: Vec::new() };
        report.head(roots.len())?;
        let mut counts: Vec<usize> = options.processors.iter().map(|count| *count as usize).collect();
        counts.push(1);
        counts.sort_unstable();
        counts.dedup();
        let mut alone = Vec::new();
        for processors in counts {
            let Some(runs) = all_positions(&experiment, processors, &alone)? else {
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
}

/// The positions to search.
fn roots<G: Game>(game: &G, options: &Speedup, start: Position) -> Result<Vec<Root<G>>> {
    let Some(file) = &options.suite else { return Ok(vec![Root::new(game, &start)]) };
    let text = library::suite(file)?;
    let problems = protocol::problems::read(game.info(), &text).with_context(|| format!("`{file}`"))?;
    let first = options.first.unwrap_or(usize::MAX);
    let mut roots = Vec::new();
    for problem in problems.into_iter().take(first) {
        let place = || format!("`{file}`: line {}", problem.line);
        game.accepts(&problem.position).map_err(|error| anyhow::anyhow!("{error}")).with_context(place)?;
        roots.push(Root::new(game, &problem.position));
    }
    if roots.is_empty() {
        bail!("`{file}` has no positions");
    }
    Ok(roots)
}

/// Searches all positions; `None` when somebody wants to stop.
fn all_positions<G: Game>(
    experiment: &Experiment<'_, G>,
    processors: usize,
    alone: &[Run],
) -> Result<Option<Vec<Run>>> {
    let mut runs = Vec::new();
    let mut progress = Progress::new();
    for (index, root) in experiment.roots.iter().enumerate() {
        if interrupt::requested() {
            return Ok(None);
        }
        let run = experiment.run(root, processors)?;
        if let Some(alone) = alone.get(index) {
            experiment.check(index + 1, processors, &run, alone)?;
        }
        runs.push(run);
        let done = runs.len() as u64;
        progress.show(done, experiment.roots.len() as u64, || format!("{processors} processors"));
    }
    Ok(Some(runs))
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
        writeln!(
            self.out,
            "{STRONG}{}{STRONG:#}, {positions} position{}, depth {}, {} on {}, seed {}",
            self.name,
            if positions == 1 { "" } else { "s" },
            options.depth,
            options.engine.name,
            options.place(),
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
            writeln!(self.out, "{}", self.as_json(&row))?;
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

    fn as_json(&self, row: &Row) -> serde_json::Value {
        let measures = &row.measures;
        let messages: serde_json::Map<String, serde_json::Value> = Measures::MESSAGES
            .iter()
            .zip(&measures.messages)
            .map(|(name, (count, bytes))| ((*name).to_owned(), json!({ "count": count, "bytes": bytes })))
            .collect();
        json!({
            "game": self.name,
            "engine": self.options.engine.name,
            "fabric": self.options.place(),
            "depth": self.options.depth,
            "seed": self.global.seed.unwrap_or(1),
            "version": env!("CARGO_PKG_VERSION"),
            "processors": row.processors,
            "speedup": row.speedup,
            "speedup_median": row.speedup_median,
            "efficiency": row.efficiency(),
            "search_overhead": row.search_overhead,
            "load": row.load,
            "performance": row.performance,
            "seconds": row.seconds,
            "nodes": row.nodes,
            "waiting_for_slaves": row.part(measures.wait_for_slaves),
            "synchronisation": row.part(measures.synchronise),
            "no_work": row.part(measures.look_for_work),
            "jobs": measures.jobs,
            "messages": messages,
        })
    }

    /// Writes the files that were asked for, as far as there are figures.
    fn save(&self) -> Result<()> {
        if let Some(path) = &self.options.csv {
            let mut text =
                "processors,speedup,speedup_median,search_overhead,load,performance,seconds,nodes\n"
                    .to_owned();
            for row in &self.rows {
                text += &format!(
                    "{},{:.4},{:.4},{:.4},{:.4},{:.4},{:.6},{}\n",
                    row.processors,
                    row.speedup,
                    row.speedup_median,
                    row.search_overhead,
                    row.load,
                    row.performance,
                    row.seconds,
                    row.nodes
                );
            }
            std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        if let Some(path) = &self.options.svg {
            let title = format!("{}, {}, {}", self.name, self.options.engine.name, self.options.place());
            let points: Vec<(usize, f64)> =
                self.rows.iter().map(|row| (row.processors, row.speedup)).collect();
            let picture = lab::curves::speedup_svg(&title, &points).map_err(anyhow::Error::msg)?;
            std::fs::write(path, picture).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(())
    }
}

struct Cost<'run> {
    options: &'run Calibrate,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Cost<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        two_players(game)?;
        let knowledge = Knowledge::learn(game, &start)?;
        let table = Bucketed::new(16, Replacement::Age);
        let control = std::sync::Arc::new(Control::default());
        let _stopper = interrupt::on_request({
            let control = control.clone();
            move || control.stop()
        });
        let mut settings = Settings::new(search::Engine::NegaScout).exact();
        settings.heuristics.quiescence = true;
        let time = TimeLimit::Fixed(Duration::from_secs_f64(self.options.time));
        // A depth that is never reached: an exact search without one would prove its result on an empty table.
        let limits = Limits { depth: Some(search::Depth::MAX), time, ..Limits::default() };
        let began = Instant::now();
        let clock = move || began.elapsed();
        let resources =
            Resources { table: &table, knowledge: &knowledge, control: &control, clock: &clock, team: None };
        let root = Root::new(game, &start);
        let report = search::search(game, &root, &settings, &limits, resources, &mut |_| {})?;
        let cost = report.elapsed.as_nanos() as f64 / report.nodes.max(1) as f64;
        let constant = lab::cost::node_cost(&game.info().name).as_nanos() as u64;
        if self.global.json {
            let row = json!({ "game": game.info().name, "node_ns": cost, "constant_ns": constant, "nodes": report.nodes });
            writeln!(self.out, "{row}")?;
        } else {
            writeln!(
                self.out,
                "{}: {cost:.0} ns a node on this machine ({} nodes); experiments use {constant} ns, or --node-cost",
                game.info().name,
                grouped(report.nodes)
            )?;
        }
        Ok(Exit::Success)
    }
}
