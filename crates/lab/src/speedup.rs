//! Speedup, and what it is lost by: Feldmann's measures, summed over positions first and divided then, so that long searches count
//! for more.

use std::time::{Duration, Instant};

use fabric::simulation::{Machine, Network, Topology};
use game::{Game, RuleFault};
use parallel::Measures;
use parallel::stealing::{Laboratory, Policy, SimulationError, TableKind, Task, on_threads, simulated};
use search::{Control, Knowledge, Limits, Report, Resources, Root, Settings, StoppedClock};
use table::{Bucketed, Replacement, Table};

/// What the processors are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fabric {
    /// Threads of this machine.
    Threads,
    /// Virtual processors.
    Virtual {
        /// What messages cost.
        network: Network,
        /// Which processors are wired to which.
        topology: Topology,
    },
}

/// What is measured.
pub struct Experiment<'lab, G: Game> {
    /// The game.
    pub game: &'lab G,
    /// The positions.
    pub roots: &'lab [Root<G>],
    /// How they are searched.
    pub settings: Settings,
    /// How deep.
    pub depth: i32,
    /// What is known of the game.
    pub knowledge: &'lab Knowledge,
    /// How work is shared out.
    pub policy: Policy,
    /// The processors.
    pub fabric: Fabric,
    /// Where they keep what they find out, if they are virtual.
    pub tables: TableKind,
    /// Memory for the table of each processor; if they share one, each brings so much.
    pub table_bytes: usize,
    /// Searches of less depth neither ask nor tell the tables of other processors, if they are virtual.
    pub table_depth: u8,
    /// Whether all processors together have as much memory as one.
    pub equal_memory: bool,
    /// What a node costs on a processor of today, if they are virtual.
    pub node_cost: Duration,
}

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The rules went wrong.
    #[error("{0}")]
    Fault(Box<RuleFault>),
    /// The simulation went wrong.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
    /// An exact search on several processors has another value than the sequential one.
    #[error("position {position} on {processors} processors: the value is {found}, and should be {expected}")]
    WrongValue {
        /// Which position, from 1.
        position: usize,
        /// On how many processors.
        processors: usize,
        /// What came out.
        found: String,
        /// What came out on one processor.
        expected: String,
    },
}

/// One search.
#[derive(Clone, Debug)]
pub struct Run {
    /// Time, virtual or real.
    pub seconds: f64,
    /// Nodes.
    pub nodes: u64,
    /// What all processors did, summed up.
    pub measures: Measures,
    /// What came out.
    pub score: search::Score,
}

/// What so many processors came to.
#[derive(Clone, Debug)]
pub struct Row {
    /// How many.
    pub processors: usize,
    /// How many times as fast as one: sum of times by sum of times.
    pub speedup: f64,
    /// The median of the speedups of single positions.
    pub speedup_median: f64,
    /// Nodes more than one processor needs, as a part of those.
    pub search_overhead: f64,
    /// The part of their time in which processors search.
    pub load: f64,
    /// Nodes per second of searching, as a part of what one processor does.
    pub performance: f64,
    /// Time of all positions.
    pub seconds: f64,
    /// Nodes of all positions.
    pub nodes: u64,
    /// What all processors did, summed up.
    pub measures: Measures,
}

impl Row {
    /// Speedup by processors.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        self.speedup / self.processors as f64
    }

    /// A part of the time of all processors.
    #[must_use]
    pub fn part(&self, time: Duration) -> f64 {
        time.as_secs_f64() / (self.processors as f64 * self.seconds).max(f64::MIN_POSITIVE)
    }

    /// The figures of these runs beside those of one processor.
    #[must_use]
    pub fn new(processors: usize, runs: &[Run], alone: &[Run]) -> Row {
        let sum = |runs: &[Run]| -> (f64, u64) {
            (runs.iter().map(|run| run.seconds).sum(), runs.iter().map(|run| run.nodes).sum())
        };
        let ((seconds, nodes), (seconds_alone, nodes_alone)) = (sum(runs), sum(alone));
        let mut measures = Measures::default();
        runs.iter().for_each(|run| measures += &run.measures);
        let searching = measures.search.as_secs_f64();
        let mut single: Vec<f64> =
            runs.iter().zip(alone).map(|(run, alone)| alone.seconds / run.seconds.max(1e-12)).collect();
        single.sort_by(f64::total_cmp);
        let ratio = |above: f64, below: f64| if below > 0.0 { above / below } else { 0.0 };
        Row {
            processors,
            speedup: ratio(seconds_alone, seconds),
            speedup_median: median(&single),
            search_overhead: ratio(nodes as f64, nodes_alone as f64) - 1.0,
            load: ratio(searching, processors as f64 * seconds),
            performance: ratio(ratio(nodes as f64, searching), ratio(nodes_alone as f64, seconds_alone)),
            seconds,
            nodes,
            measures,
        }
    }
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

impl<G: Game> Experiment<'_, G> {
    /// Searches one position on so many processors.
    ///
    /// # Errors
    /// When the rules or the simulation go wrong.
    pub fn run(&self, root: &Root<G>, processors: usize) -> Result<Run, LabError> {
        let task = Task {
            game: self.game,
            root,
            settings: self.settings,
            limits: Limits::to_depth(self.depth),
            knowledge: self.knowledge,
            policy: self.policy,
            timeline: None,
        };
        match self.fabric {
            Fabric::Threads => self.run_on_threads(&task, processors),
            Fabric::Virtual { network, topology } => {
                let mut machine = Machine::with_network(processors, network);
                (machine.topology, machine.seed) = (topology, self.settings.seed);
                let share = if self.equal_memory { self.table_bytes / processors } else { self.table_bytes };
                let laboratory = Laboratory {
                    machine,
                    node_cost: self.node_cost,
                    tables: self.tables,
                    table_bytes: share,
                    table_depth: self.table_depth,
                };
                let found = simulated(&task, &laboratory)?;
                let mut measures = Measures::default();
                found.together.measures.iter().flatten().for_each(|one| measures += one);
                let Report { nodes, score, .. } = found.together.report;
                Ok(Run { seconds: found.time.as_secs_f64(), nodes, measures, score })
            }
        }
    }

    fn run_on_threads(&self, task: &Task<'_, G>, processors: usize) -> Result<Run, LabError> {
        let bytes = if self.equal_memory { self.table_bytes } else { self.table_bytes * processors };
        let table = Bucketed::with_bytes(bytes, Replacement::Age);
        table.clear();
        let control = Control::default();
        let (knowledge, clock) = (self.knowledge, &StoppedClock);
        let resources = Resources { table: &table, knowledge, control: &control, clock, team: None };
        let began = Instant::now();
        let fault = |fault| LabError::Fault(Box::new(fault));
        let (report, mut measures) = if processors == 1 {
            let Task { game, root, settings, limits, .. } = task;
            let report =
                search::search(*game, root, settings, limits, resources, &mut |_| {}).map_err(fault)?;
            let search = began.elapsed();
            (report, Measures { search, ..Measures::default() })
        } else {
            let found = on_threads(task, processors, resources, &mut |_| {}).map_err(fault)?;
            let mut measures = Measures::default();
            found.measures.iter().flatten().for_each(|one| measures += one);
            (found.report, measures)
        };
        measures.nodes = report.nodes;
        Ok(Run { seconds: began.elapsed().as_secs_f64(), nodes: report.nodes, measures, score: report.score })
    }

    /// Checks that an exact search has the value of the sequential one.
    ///
    /// # Errors
    /// When it has not.
    pub fn check(&self, position: usize, processors: usize, run: &Run, alone: &Run) -> Result<(), LabError> {
        let exact = {
            let mut heuristics = self.settings.heuristics;
            heuristics.quiescence = false;
            heuristics.is_exact()
        };
        if !exact || run.score == alone.score {
            return Ok(());
        }
        let (found, expected) = (run.score.to_string(), alone.score.to_string());
        Err(LabError::WrongValue { position, processors, found, expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seconds: f64, nodes: u64, searching: f64) -> Run {
        let search = Duration::from_secs_f64(searching);
        let measures = Measures { search, nodes, ..Measures::default() };
        Run { seconds, nodes, measures, score: search::Score::DRAW }
    }

    /// Speedup is processors x performance x load / (1 + overhead), by definition.
    #[test]
    fn the_measures_explain_the_speedup() {
        let alone = [run(100.0, 1000, 100.0), run(300.0, 3000, 300.0)];
        let together = [run(10.0, 1200, 140.0), run(20.0, 3400, 280.0)];
        let row = Row::new(16, &together, &alone);
        assert!((row.speedup - 400.0 / 30.0).abs() < 1e-9);
        assert!((row.speedup_median - 12.5).abs() < 1e-9);
        let explained = 16.0 * row.performance * row.load / (1.0 + row.search_overhead);
        assert!((row.speedup - explained).abs() < 1e-9, "{} {explained}", row.speedup);
    }

    #[test]
    fn one_virtual_processor_searches_like_a_thread() {
        let game = native::NativeConnect4::new();
        let start = game.info().start.clone().unwrap();
        let roots = [Root::new(&game, &start)];
        let knowledge = Knowledge::learn(&game, &start).unwrap();
        let mut experiment = Experiment {
            game: &game,
            roots: &roots,
            settings: Settings::new(search::Engine::NegaScout).exact(),
            depth: 6,
            knowledge: &knowledge,
            policy: Policy::YBWC,
            fabric: Fabric::Threads,
            tables: TableKind::Shared,
            table_bytes: 1 << 20,
            table_depth: 1,
            equal_memory: true,
            node_cost: Duration::from_micros(1),
        };
        let thread = experiment.run(&roots[0], 1).unwrap();
        experiment.fabric = Fabric::Virtual { network: Network::SHARED, topology: Topology::Full };
        let alone = experiment.run(&roots[0], 1).unwrap();
        assert_eq!((alone.nodes, alone.score), (thread.nodes, thread.score));
        let many = experiment.run(&roots[0], 8).unwrap();
        experiment.check(1, 8, &many, &alone).unwrap();
        let row = Row::new(8, &[many], &[alone]);
        assert!(row.speedup > 1.0 && row.load <= 1.0, "{row:?}");
    }
}
