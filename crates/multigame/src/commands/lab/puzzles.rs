//! `multigame lab speedup` for puzzles.

use std::io::Write;

use anyhow::{Context, Result, bail};
use database::Parts;
use game::motion::{Motion, State};
use game::{Game, GameInfo, Position, text};
use lab::Fabric;
use lab::curves::speedup_svg;
use lab::puzzles::{Experiment, Row, costs};
use parallel::tds::{Carrying, Costs, Grain, Scheduling, Settings};
use search::one_player::PieceByPiece;
use serde_json::json;

use crate::cli::lab::Speedup;
use crate::cli::{FAINT, Global, STRONG};
use crate::databases::{self, Tables};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::numbers::grouped;
use crate::progress::Progress;
use crate::{Exit, interrupt, library};

/// Random moves from the solved position, where no suite says what to solve.
const SCRAMBLE: usize = 1000;

/// Puzzles whose bounds are looked up in pattern databases; the others' are distances of single pieces.
const MEMORY: u64 = 2 << 30;

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
    let Some(motion) = Motion::of(game).filter(Carrying::<PieceByPiece>::fits) else {
        bail!("the moves of `{}` do not just carry pieces: several processors cannot share it", info.name);
    };
    let suite = (options.suite.as_deref(), options.first);
    let states = states(info, &motion, start, suite, global.seed.unwrap_or(1))?;
    let experiment = Experiment {
        settings: settings(info, options, scheduling, fabric, global),
        fabric,
        table_bytes: (options.table as usize) << 10,
        equal_memory: options.equal_memory,
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
    let tables = match motion.carries_one() && !options.patterns {
        true => None,
        false => databases::bounds(&info.name, &motion, MEMORY, Some(databases::threads(global.threads)))?,
    };
    report.head(states.len(), scheduling, fabric)?;
    match tables {
        Some((Tables::Patterns(bounds), _)) => report.measure(&experiment, &motion, &bounds, None, &states),
        Some((Tables::Cosets(bounds), _)) => report.measure(&experiment, &motion, &bounds, None, &states),
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
    let usual = match fabric {
        Fabric::Threads => Settings::real(scheduling),
        Fabric::Virtual { .. } => {
            let costs = options.node_cost.map_or_else(
                || costs(&info.name),
                |cost| Costs { expansion: std::time::Duration::from_nanos(cost), ..Costs::default() },
            );
            Settings::simulated(scheduling, costs)
        }
    };
    // A least depth of 1 is the usual one of games for two, and means nothing here.
    let left = options.least_depth.filter(|&plies| plies > 1);
    let grain = left.map_or(usual.grain, |plies| Grain::Left(plies as u32));
    let seed = global.seed.unwrap_or(usual.seed);
    Settings { last_bound: Some(options.depth as u32), grain, seed, ..usual }
}

/// The states to solve: those of a suite, the one that was given, or random ones.
pub(super) fn states(
    info: &GameInfo,
    motion: &Motion,
    start: &Position,
    (suite, most): (Option<&str>, Option<usize>),
    seed: u64,
) -> Result<Vec<State>> {
    let first = most.unwrap_or(usize::MAX);
    let state =
        |position: &Position| motion.state(position).filter(|state| motion.invariants.allow(motion, state));
    if let Some(file) = suite {
        let content = library::suite(file)?;
        let lines = content.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let read = |(number, line): (usize, &str)| {
            // Number, length, bound and nodes come before the tiles.
            let tiles = line.split_whitespace().skip(4).collect::<Vec<_>>().join(" ");
            let position = text::read(info, &tiles).map_err(|error| anyhow::anyhow!("{error}"));
            let place = || format!("`{file}`: position {}", number + 1);
            state(&position.with_context(place)?).context("it cannot be solved").with_context(place)
        };
        return lines.enumerate().take(first).map(read).collect();
    }
    if let Some(given) = state(start).filter(|given| *given != motion.goal) {
        return Ok(vec![given]);
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let scramble = |_| {
        (0..SCRAMBLE).fold(motion.goal.clone(), |state, _| {
            let operators = &motion.modes[usize::from(state.mode)];
            motion.after(&state, &operators[random.usize(..operators.len())])
        })
    };
    Ok((0..most.unwrap_or(1)).map(scramble).collect())
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
        let mut counts: Vec<usize> = self.options.processors.iter().map(|count| *count as usize).collect();
        counts.push(1);
        counts.sort_unstable();
        counts.dedup();
        let mut alone = Vec::new();
        for processors in counts {
            let parts = divide.map(|divide| divide(processors)).transpose()?;
            if let Some(parts) = &parts {
                self.say_parts(processors, parts)?;
            }
            let mut runs = Vec::new();
            let mut progress = Progress::new();
            for (index, state) in states.iter().enumerate() {
                if interrupt::requested() {
                    self.save()?;
                    return Ok(Exit::Interrupted);
                }
                let mut space = Carrying::new(motion, state, bounds);
                if let Some(parts) = &parts {
                    space = space.divided(parts);
                }
                let run = experiment.run(&space, processors)?;
                Experiment::check(index + 1, processors, &run, alone.get(index).unwrap_or(&run))?;
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
        let place = match fabric {
            Fabric::Threads => "threads".to_owned(),
            Fabric::Virtual { network, topology } => format!("virtual {} {}", network.name, topology.name()),
        };
        writeln!(
            self.out,
            "{STRONG}{}{STRONG:#}, {positions} position{}, bound {}, {engine} on {place}, seed {}",
            self.info.name,
            if positions == 1 { "" } else { "s" },
            self.options.depth,
            self.global.seed.unwrap_or(1),
        )?;
        let head = "processors  speedup  efficiency  overhead   load  imbalance      seconds           nodes   \
                    messages  bytes each";
        writeln!(self.out, "{FAINT}{head}{FAINT:#}")?;
        Ok(self.out.flush()?)
    }

    fn add(&mut self, row: Row) -> Result<()> {
        let effort = &row.effort;
        let efficiency = row.speedup / row.processors as f64;
        if self.global.json {
            let line = json!({
                "game": self.info.name,
                "engine": self.options.engine.name,
                "bound": self.options.depth,
                "seed": self.global.seed.unwrap_or(1),
                "version": env!("CARGO_PKG_VERSION"),
                "processors": row.processors,
                "speedup": row.speedup,
                "efficiency": efficiency,
                "search_overhead": row.search_overhead,
                "load": row.load,
                "imbalance": row.imbalance,
                "seconds": row.seconds,
                "nodes": effort.nodes,
                "expansions": effort.expansions,
                "known": effort.known,
                "dives": effort.dives,
                "messages": effort.messages,
                "bytes": effort.bytes,
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
        if let Some(path) = &self.options.csv {
            let mut text =
                "game,engine,bound,processors,speedup,search_overhead,load,imbalance,seconds,nodes,messages\n"
                    .to_owned();
            let (game, engine, bound) = (&self.info.name, self.options.engine.name, self.options.depth);
            for row in &self.rows {
                let Row { processors, speedup, search_overhead, load, imbalance, seconds, effort } = row;
                text += &format!(
                    "{game},{engine},{bound},{processors},{speedup:.4},{search_overhead:.4},{load:.4},{imbalance:.4},{seconds:.6},{},{}\n",
                    effort.nodes, effort.messages
                );
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
