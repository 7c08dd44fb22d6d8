//! How much faster several processors solve puzzles: by transposition-driven scheduling, or by work stealing.

use std::time::{Duration, Instant};

use fabric::simulation::Machine;
use parallel::tds::{
    Costs, Effort, Lost, Settings, SimulationError, Space, Task, Together, on_threads, simulated,
};
use search::one_player::{Limits, Verdict};

use crate::conditions::Fabric;

/// What a state costs in microseconds on a processor of 200 MHz: its lower bound, and finding its moves. Figures of
/// the original Multigame; the cube's bound includes looking it up in pattern databases.
const COSTS_US: [(&str, f64, f64); 3] =
    [("puzzle15", 2.70, 3.66), ("doubleblank", 3.26, 10.7), ("rubik", 12.72, 58.9)];

/// For puzzles that nobody has measured.
const COSTS_US_USUAL: (f64, f64) = (3.0, 5.0);

/// Packing a byte of a state for a journey and unpacking it: 0.25 microseconds for fifty bytes, which are copied twice.
const JOURNEY_BYTE_US: f64 = 0.005;

/// How much slower those processors are than one of today.
const SLOWNESS: f64 = 30.0;

/// What states of a puzzle cost on a virtual processor of today.
#[must_use]
pub fn costs(game: &str) -> Costs {
    let known = COSTS_US.iter().find(|(name, ..)| *name == game);
    let (evaluation, expansion) =
        known.map_or(COSTS_US_USUAL, |&(_, evaluation, expansion)| (evaluation, expansion));
    let today = |microseconds: f64| Duration::from_nanos((microseconds * 1000.0 / SLOWNESS).round() as u64);
    let journey_byte_ps = (JOURNEY_BYTE_US * 1e6 / SLOWNESS).round() as u64;
    Costs { expansion: today(expansion), evaluation: today(evaluation), journey_byte_ps }
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
#[derive(Clone, Debug)]
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
        let share = if self.equal_memory { self.table_bytes / processors } else { self.table_bytes };
        let task = Task { space, settings: self.settings, table_bytes: share * processors };
        match self.fabric {
            Fabric::Threads => {
                let limits = Limits { nodes: None, bytes: 0, stop: &|| false };
                let began = Instant::now();
                let together = on_threads(&task, processors, &limits, &mut |_, _| {})?;
                Ok(Run::new(began.elapsed(), &together))
            }
            Fabric::Virtual { network, topology } => {
                let mut machine = Machine::with_network(processors, network);
                (machine.topology, machine.seed) = (topology, self.settings.seed);
                let found = simulated(&task, &machine)?;
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

/// What so many processors came to.
#[derive(Clone, Debug)]
pub struct Row {
    /// How many.
    pub processors: usize,
    /// How many times as fast as one: sum of times by sum of times.
    pub speedup: f64,
    /// States more than one processor looks at, as a part of those.
    pub search_overhead: f64,
    /// The part of their time in which processors have work.
    pub load: f64,
    /// By how much the processor with the most states has more than the mean.
    pub imbalance: f64,
    /// Time of all positions.
    pub seconds: f64,
    /// What all processors did.
    pub effort: Effort,
}

impl Row {
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
        Row {
            processors,
            speedup: ratio(seconds(alone), seconds(runs)),
            search_overhead: ratio(nodes(runs), nodes(alone)) - 1.0,
            load: 1.0 - ratio(lost, processors as f64 * seconds(runs)),
            imbalance: ratio(most * processors as f64, nodes(runs)) - 1.0,
            seconds: seconds(runs),
            effort,
        }
    }
}
