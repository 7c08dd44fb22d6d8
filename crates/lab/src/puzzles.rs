//! How much faster several processors solve puzzles: by transposition-driven scheduling, or by work stealing.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use fabric::ProcessorId;
use fabric::simulation::{Disturbances, Machine, Sleep, Sleeps};
use game::RuleFault;
use game::motion::{Bounds, Motion, State};
use parallel::measures::Activity;
use parallel::tds::{
    Carrying, Costs, Effort, Lost, Scheduling, Settings, SimulationError, Space, Task, Together,
    simulated_unless, solve,
};
use parallel::tree::{Growth, Tree};
use parallel::{Measures, Timeline};
use search::Control;
use search::one_player::{Budget, Verdict};

use crate::conditions::{Conditions, Fabric, Order, of_processes};
use crate::speedup::{self, Elsewhere, LabError, median};
use crate::subject::{Subject, together};

/// What a state costs in microseconds on a processor of 200 MHz: its lower bound, and finding its moves. Figures of
/// the original Multigame; the cube's bound includes looking it up in pattern databases.
const COSTS_US: [(&str, f64, f64); 3] =
    [("puzzle15", 2.70, 3.66), ("doubleblank", 3.26, 10.7), ("rubik", 12.72, 58.9)];

/// For puzzles that have not been measured.
const COSTS_US_USUAL: (f64, f64) = (3.0, 5.0);

/// Packing a byte of a state for a journey and unpacking it: 0.25 microseconds for fifty bytes, which are copied twice.
const JOURNEY_BYTE_US: f64 = 0.005;

/// How much slower those processors are than a modern one.
const SLOWNESS: f64 = 30.0;

/// What states of a puzzle cost on a modern virtual processor.
#[must_use]
pub fn costs(game: &str) -> Costs {
    let known = COSTS_US.iter().find(|(name, ..)| *name == game);
    let (evaluation, expansion) =
        known.map_or(COSTS_US_USUAL, |&(_, evaluation, expansion)| (evaluation, expansion));
    let today = |microseconds: f64| Duration::from_nanos((microseconds * 1000.0 / SLOWNESS).round() as u64);
    let journey_byte_ps = (JOURNEY_BYTE_US * 1e6 / SLOWNESS).round() as u64;
    Costs { expansion: today(expansion), evaluation: today(evaluation), journey_byte_ps }
}

/// How states are shared out, as the processors want it.
#[must_use]
pub fn settings(game: &str, scheduling: Scheduling, fabric: Fabric, node_cost: Option<Duration>) -> Settings {
    match fabric {
        Fabric::Threads | Fabric::Processes { .. } => Settings::real(scheduling),
        Fabric::Virtual { .. } => {
            let of_game = || costs(game);
            let costs = node_cost.map_or_else(of_game, |expansion| Costs { expansion, ..Costs::default() });
            Settings::simulated(scheduling, costs)
        }
    }
}

/// What is measured.
pub struct Experiment {
    /// How states are shared out.
    pub settings: Settings,
    /// The processors.
    pub fabric: Fabric,
    /// Memory of each processor for what it remembers.
    pub table_bytes: usize,
    /// Whether all processors together have as much memory as one.
    pub equal_memory: bool,
    /// What goes wrong with several virtual processors.
    pub faults: Disturbances,
}

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// The simulation went wrong.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
    /// A thread panicked.
    #[error("{0}")]
    Lost(#[from] Lost),
    /// Another process has no answer.
    #[error("{0}")]
    Elsewhere(#[from] Elsewhere),
    /// Another number of processors has another answer.
    #[error("position {position} on {processors} processors: {found}, and should be {expected}")]
    WrongAnswer {
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

/// One puzzle solved, or searched to the last bound.
#[derive(Clone, Default, Debug)]
pub struct Run {
    /// Time, virtual or real.
    pub seconds: f64,
    /// What all processors did.
    pub effort: Effort,
    /// The most that one processor looked at, and the mean.
    pub nodes_most: u64,
    /// Moves of the solution, if there is one.
    pub length: Option<usize>,
    /// No solution is shorter than this.
    pub bound: u32,
}

impl Run {
    fn new(time: Duration, together: &Together) -> Run {
        let length = match &together.found.verdict {
            Verdict::Solved(lines) => lines.first().map(Vec::len),
            Verdict::Unsolvable | Verdict::Unknown => None,
        };
        Run {
            seconds: time.as_secs_f64(),
            effort: together.effort(),
            nodes_most: together.efforts.iter().map(|effort| effort.nodes).max().unwrap_or(0),
            length,
            bound: together.found.bound,
        }
    }

    fn answer(&self) -> String {
        match self.length {
            Some(length) => format!("solved in {length} moves"),
            None => format!("no solution below {}", self.bound),
        }
    }
}

impl Experiment {
    /// Solves one puzzle on so many processors.
    ///
    /// # Errors
    /// When the simulation goes wrong or a thread panics.
    pub fn run(&self, space: &dyn Space, processors: usize) -> Result<Run, PuzzleError> {
        self.run_watched(space, processors, None, &|| false)
    }

    /// The same, which gives up when it is asked to, and writes down when each virtual processor has something to do.
    ///
    /// # Errors
    /// When the simulation goes wrong or a thread panics.
    pub fn run_watched(
        &self,
        space: &dyn Space,
        processors: usize,
        timeline: Option<&Timeline>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Run, PuzzleError> {
        let share = if self.equal_memory { self.table_bytes / processors } else { self.table_bytes };
        let task = Task { space, settings: self.settings, table_bytes: share * processors };
        match self.fabric {
            Fabric::Threads => on_real(&task, processors, stop),
            Fabric::Processes { threads } => {
                together(of_processes(processors, threads), |processes, threads| {
                    // Each process brings the memory of its threads.
                    let task = Task { table_bytes: share * processors / processes, ..task };
                    on_real(&task, threads, stop)
                })
            }
            Fabric::Virtual { network, topology } => {
                let mut machine = Machine::with_network(processors, network);
                (machine.topology, machine.seed) = (topology, self.settings.seed);
                if processors > 1 {
                    let Self { faults, settings: Settings { seed, .. }, .. } = *self;
                    machine.faults =
                        Disturbances { deaths: 0, ..faults }.faults(processors, seed, Duration::ZERO);
                    if faults.deaths > 0 {
                        // Some time before the puzzle would be solved if they lived.
                        let alive = simulated_unless(&task, &machine, stop)?;
                        machine.faults = faults.faults(processors, seed, alive.time);
                    }
                }
                machine.sleeps = timeline.map(|_| Sleeps::default());
                let found = simulated_unless(&task, &machine, stop)?;
                if let (Some(timeline), Some(sleeps)) = (timeline, &machine.sleeps) {
                    let sleeps = sleeps.lock().unwrap_or_else(PoisonError::into_inner);
                    write_down(timeline, &sleeps, processors, found.time);
                }
                Ok(Run::new(found.time, &found.together))
            }
        }
    }

    /// Checks that the answer is that of one processor.
    ///
    /// # Errors
    /// When it is not.
    pub fn check(position: usize, processors: usize, run: &Run, alone: &Run) -> Result<(), PuzzleError> {
        if (run.length, run.bound) == (alone.length, alone.bound) {
            return Ok(());
        }
        let (found, expected) = (run.answer(), alone.answer());
        Err(PuzzleError::WrongAnswer { position, processors, found, expected })
    }
}

/// Solves a puzzle on so many threads of each process that works on it.
fn on_real(task: &Task<'_>, threads: usize, stop: &dyn Fn() -> bool) -> Result<Run, PuzzleError> {
    let limits = Budget { nodes: None, bytes: 0, stop };
    let began = Instant::now();
    let together = solve(task, threads, &limits, &mut |_, _| {})?;
    Ok(Run::new(began.elapsed(), &together))
}

/// A processor that does not sleep works.
fn write_down(timeline: &Timeline, sleeps: &[Sleep], processors: usize, end: Duration) {
    let all = (0..processors as u32).map(ProcessorId);
    all.clone().for_each(|id| timeline.turn(id, Duration::ZERO, Activity::Searching));
    for Sleep { processor, from, to } in sleeps {
        timeline.turn(*processor, *from, Activity::NoWork);
        timeline.turn(*processor, *to, Activity::Searching);
    }
    all.for_each(|id| timeline.end(id, end));
}

/// Puzzles with positions to solve, as experiments see them.
pub struct Puzzles<'lab, B: Bounds> {
    /// Which one.
    pub name: &'lab str,
    /// Its moves.
    pub motion: &'lab Motion,
    /// Its lower bounds.
    pub bounds: &'lab B,
    /// What is to be solved.
    pub states: Vec<State>,
}

impl<B: Bounds> Subject for Puzzles<'_, B> {
    fn game(&self) -> &str {
        self.name
    }

    fn positions(&self) -> usize {
        self.states.len()
    }

    fn perform(&self, order: &Order<'_>) -> Result<speedup::Run, LabError> {
        let Conditions { fabric, node_cost, table_bytes, equal_memory, depth, .. } = *order.conditions;
        let scheduling = order.special.scheduling.unwrap_or(Scheduling::Home);
        let settings = settings(self.name, scheduling, fabric, node_cost);
        let (last_bound, seed) = (Some(depth as u32), order.conditions.settings.seed);
        let settings = Settings { last_bound, seed, ..settings };
        let experiment =
            Experiment { settings, fabric, table_bytes, equal_memory, faults: order.special.faults };
        let space = Carrying::new(self.motion, &self.states[order.position], self.bounds);
        let stop = || order.stop.is_some_and(|control| control.is_stopped());
        let run = experiment.run_watched(&space, order.processors, order.timeline, &stop)?;
        Ok(run.as_search(order.processors))
    }

    fn warm_up(&self, _conditions: &Conditions) -> Result<(), LabError> {
        // Moves of puzzles are known as maps of sites before anything is searched.
        Ok(())
    }

    fn tree(&self, _position: usize, _nodes: &Growth, _width: usize) -> Result<Option<Tree>, RuleFault> {
        Ok(None)
    }

    fn calibrate(&self, _time: Duration, _control: &Control) -> Result<(Duration, u64), RuleFault> {
        let costs = costs(self.name);
        Ok((costs.evaluation + costs.expansion, 1))
    }
}

/// What messages with states are called among those of games for two: they are work for others as well.
const STATES: &str = "work";

impl Run {
    /// The same as the measures of games for two have it: a processor that pauses because others have too much waits
    /// for them.
    fn as_search(&self, processors: usize) -> speedup::Run {
        let effort = &self.effort;
        let all = Duration::from_secs_f64(self.seconds * processors as f64);
        let mut measures = Measures {
            nodes: effort.nodes,
            search: all.saturating_sub(effort.idle + effort.held),
            synchronise: effort.held,
            look_for_work: effort.idle,
            ..Measures::default()
        };
        if let Some(kind) = Measures::MESSAGES.iter().position(|kind| *kind == STATES) {
            measures.messages[kind] = (effort.messages, effort.bytes);
        }
        speedup::Run { seconds: self.seconds, nodes: effort.nodes, measures, score: self.answer() }
    }
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
    /// States more than one processor looks at, as a part of those.
    pub search_overhead: f64,
    /// The part of their time in which processors have work.
    pub load: f64,
    /// States per second of working, as a part of what one processor does.
    pub performance: f64,
    /// By how much the processor with the most states has more than the mean.
    pub imbalance: f64,
    /// Time of all positions.
    pub seconds: f64,
    /// What all processors did.
    pub effort: Effort,
}

impl Row {
    /// Speedup by processors.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        self.speedup / self.processors as f64
    }

    /// A part of the time of all processors: load, waiting and time without work are all of it.
    #[must_use]
    pub fn part(&self, time: Duration) -> f64 {
        time.as_secs_f64() / (self.processors as f64 * self.seconds).max(f64::MIN_POSITIVE)
    }

    /// The figures of these runs beside those of one processor.
    #[must_use]
    pub fn new(processors: usize, runs: &[Run], alone: &[Run]) -> Row {
        let seconds = |runs: &[Run]| runs.iter().map(|run| run.seconds).sum::<f64>();
        let nodes = |runs: &[Run]| runs.iter().map(|run| run.effort.nodes).sum::<u64>() as f64;
        let ratio = |above: f64, below: f64| if below > 0.0 { above / below } else { 0.0 };
        let mut effort = Effort::default();
        runs.iter().for_each(|run| effort += &run.effort);
        let most = runs.iter().map(|run| run.nodes_most).sum::<u64>() as f64;
        let lost = (effort.idle + effort.held).as_secs_f64();
        let working = processors as f64 * seconds(runs) - lost;
        let mut single: Vec<f64> =
            runs.iter().zip(alone).map(|(run, alone)| alone.seconds / run.seconds.max(1e-12)).collect();
        single.sort_by(f64::total_cmp);
        Row {
            processors,
            speedup: ratio(seconds(alone), seconds(runs)),
            speedup_median: median(&single),
            performance: ratio(ratio(nodes(runs), working), ratio(nodes(alone), seconds(alone))),
            search_overhead: ratio(nodes(runs), nodes(alone)) - 1.0,
            load: 1.0 - ratio(lost, processors as f64 * seconds(runs)),
            imbalance: ratio(most * processors as f64, nodes(runs)) - 1.0,
            seconds: seconds(runs),
            effort,
        }
    }
}
