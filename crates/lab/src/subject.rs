//! A game with positions to search. Experiments see it through [`Subject`], so that all but this file is compiled
//! once, and not once for each generator.

use std::time::{Duration, Instant};

use fabric::simulation::{Disturbances, Machine};
use game::{Game, Position, RuleFault};
use parallel::stealing::{Laboratory, Task, simulated};
use parallel::tree::{Growth, Tree};
use parallel::{Measures, processes};
use search::{
    Clock, Control, Depth, Knowledge, Limits, Report, Resources, Root, Settings, StoppedClock, TimeLimit,
};
use table::{Bucketed, Replacement, Table};

use crate::conditions::{Conditions, Fabric, Order, of_processes, settings};
use crate::cost;
use crate::speedup::{Elsewhere, LabError, Run};

/// How deep is searched before anything is measured, at most: as deep as all parts of a search are used.
const WARM_UP_DEPTH: i32 = 6;

/// Nodes that are searched before a node's cost is measured, at most.
const WARM_UP_NODES: u64 = 2000;

/// What experiments want of a game.
pub trait Subject: Sync {
    /// The name of the game.
    fn game(&self) -> &str;

    /// How many positions there are.
    fn positions(&self) -> usize;

    /// Makes a search.
    ///
    /// # Errors
    /// When the rules or the simulation go wrong.
    fn perform(&self, order: &Order<'_>) -> Result<Run, LabError>;

    /// Searches a position, from 0, on so many processors.
    ///
    /// # Errors
    /// When the rules or the simulation go wrong.
    fn run(&self, conditions: &Conditions, position: usize, processors: usize) -> Result<Run, LabError> {
        self.perform(&Order::new(conditions, position, processors))
    }

    /// Makes ready on this machine what is made when it is first needed, as machine code is: it should be in no
    /// figures.
    ///
    /// # Errors
    /// When the rules go wrong.
    fn warm_up(&self, conditions: &Conditions) -> Result<(), LabError> {
        let all = match conditions.fabric {
            Fabric::Threads => 2,
            Fabric::Processes { threads } => processes::count() * threads,
            Fabric::Virtual { .. } => return Ok(()),
        };
        let shallow = Conditions { depth: (conditions.depth - 1).clamp(1, WARM_UP_DEPTH), ..*conditions };
        for processors in [1, all] {
            self.run(&shallow, 0, processors)?;
        }
        Ok(())
    }

    /// The tree of nodes below a position; `None` if there are none.
    ///
    /// # Errors
    /// When the rules go wrong.
    fn tree(&self, position: usize, nodes: &Growth, width: usize) -> Result<Option<Tree>, RuleFault>;

    /// Searches the first position for so long, and says how long that took and how many nodes it had.
    ///
    /// # Errors
    /// When the rules go wrong.
    fn calibrate(&self, time: Duration, control: &Control) -> Result<(Duration, u64), RuleFault>;
}

/// Positions of a game.
pub struct Positions<'lab, G: Game> {
    game: &'lab G,
    roots: Vec<Root<G>>,
    knowledge: Knowledge,
}

impl<'lab, G: Game> Positions<'lab, G> {
    /// These positions of a game; `start` is where it begins.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn new(
        game: &'lab G,
        start: &Position,
        positions: &[Position],
    ) -> Result<Positions<'lab, G>, RuleFault> {
        let roots = positions.iter().map(|position| Root::new(game, position)).collect();
        Ok(Positions { game, roots, knowledge: Knowledge::learn(game, start)? })
    }

    /// Searches the first position.
    fn search_alone(
        &self,
        settings: &Settings,
        limits: &Limits,
        (table, control, clock): (&Bucketed, &Control, &dyn Clock),
    ) -> Result<Report, RuleFault> {
        let resources = Resources { table, knowledge: &self.knowledge, control, clock, team: None };
        search::search(self.game, &self.roots[0], settings, limits, resources, &mut |_| {})
    }

    fn simulate(&self, task: &Task<'_, G>, order: &Order<'_>) -> Result<Run, LabError> {
        let Order { conditions, processors, .. } = *order;
        let (network, topology) = match conditions.fabric {
            Fabric::Virtual { network, topology } => (network, topology),
            Fabric::Threads => return self.on_real(task, order, (1, processors)),
            Fabric::Processes { threads } => {
                return together(of_processes(processors, threads), |processes, threads| {
                    self.on_real(task, order, (processes, threads))
                });
            }
        };
        let mut machine = Machine::with_network(processors, network);
        (machine.topology, machine.seed) = (topology, conditions.settings.seed);
        let Conditions { table_bytes, equal_memory, tables, .. } = *conditions;
        let mut laboratory = Laboratory {
            machine,
            node_cost: conditions.node_cost.unwrap_or_else(|| cost::node_cost(self.game())),
            tables,
            table_bytes: if equal_memory { table_bytes / processors } else { table_bytes },
            table_depth: conditions.table_depth,
            prefetch: conditions.prefetch,
            combine: conditions.combine,
            ahead: conditions.ahead,
            stop: order.stop.cloned(),
        };
        let seed = conditions.settings.seed;
        // The one that all are compared with has no faults.
        let faults = if processors == 1 { Disturbances::default() } else { order.special.faults };
        laboratory.machine.faults =
            Disturbances { deaths: 0, ..faults }.faults(processors, seed, Duration::ZERO);
        if faults.deaths > 0 {
            // Some time before the search would end if they lived.
            let alive = simulated(&Task { timeline: None, ..*task }, &laboratory)?;
            laboratory.machine.faults = faults.faults(processors, seed, alive.time);
        }
        let found = simulated(task, &laboratory)?;
        let deaths = &laboratory.machine.faults.deaths;
        let is_to_die = |processor| deaths.iter().any(|(id, _)| id.0 as usize == processor);
        let measures = all_together(&found.together.measures, is_to_die)?;
        let Report { nodes, score, .. } = found.together.report;
        Ok(Run { seconds: found.time.as_secs_f64(), nodes, measures, score: score.to_string() })
    }

    /// Searches on so many threads of each of so many processes, which have begun this together.
    fn on_real(
        &self,
        task: &Task<'_, G>,
        order: &Order<'_>,
        (processes, threads): (usize, usize),
    ) -> Result<Run, LabError> {
        let Conditions { table_bytes, equal_memory, .. } = *order.conditions;
        // The memory of this process.
        let bytes = if equal_memory { table_bytes / processes } else { table_bytes * threads };
        let table = Bucketed::with_bytes(bytes, Replacement::Age);
        table.clear();
        let nobody_stops_me = Control::default();
        let control = order.stop.map_or(&nobody_stops_me, |stop| &**stop);
        let fault = |fault| LabError::Fault(Box::new(fault));
        // All have their memory now.
        let _ = processes::agree(true);
        let began = Instant::now();
        let real = move || began.elapsed();
        // What processes do before and after the search is done once for all searches of a job, not for each.
        let clock: &dyn Clock = if processes > 1 { &real } else { &StoppedClock };
        let resources = Resources { table: &table, knowledge: &self.knowledge, control, clock, team: None };
        let (report, mut measures) = if processes * threads == 1 {
            let Task { game, root, settings, limits, .. } = task;
            let report =
                search::search(*game, root, settings, limits, resources, &mut |_| {}).map_err(fault)?;
            let search = began.elapsed();
            (report, Measures { search, ..Measures::default() })
        } else {
            let found = processes::search(task, threads, resources, &mut |_| {}).map_err(fault)?;
            let measures = all_together(&found.measures, |_| false)?;
            (found.report, measures)
        };
        measures.nodes = report.nodes;
        let time = if processes > 1 { report.elapsed } else { began.elapsed() };
        Ok(Run {
            seconds: time.as_secs_f64(),
            nodes: report.nodes,
            measures,
            score: report.score.to_string(),
        })
    }
}

/// Lets so many processes, each with so many threads, measure something together; what process 0 came to. All others
/// get a run that says nothing.
pub(crate) fn together<E: From<Elsewhere>, R: Default>(
    (processes, threads): (usize, usize),
    measure: impl FnOnce(usize, usize) -> Result<R, E>,
) -> Result<R, E> {
    let found = processes::among(processes, || measure(processes, threads));
    let is_fine = found.as_ref().is_none_or(Result::is_ok);
    let all_are = processes::agree(is_fine);
    match found {
        Some(Err(error)) => Err(error),
        _ if !all_are => Err(Elsewhere.into()),
        Some(Ok(run)) if processes::is_first() => Ok(run),
        _ => Ok(R::default()),
    }
}

/// What all processors did that came to the end. One that panics is dead like one that is killed: only those may be who
/// were to die.
fn all_together(
    measures: &[Option<Measures>],
    is_to_die: impl Fn(usize) -> bool,
) -> Result<Measures, LabError> {
    let processors = measures.len();
    let mut sum = Measures::default();
    for (processor, measures) in measures.iter().enumerate() {
        match measures {
            Some(measures) => sum += measures,
            None if is_to_die(processor) => {}
            None => return Err(LabError::Panicked { processor, processors }),
        }
    }
    Ok(sum)
}

impl<G: Game> Subject for Positions<'_, G> {
    fn game(&self) -> &str {
        &self.game.info().name
    }

    fn positions(&self) -> usize {
        self.roots.len()
    }

    fn perform(&self, order: &Order<'_>) -> Result<Run, LabError> {
        let Order { conditions, position, timeline, .. } = *order;
        let task = Task {
            game: self.game,
            root: &self.roots[position],
            settings: conditions.settings,
            limits: Limits::to_depth(conditions.depth),
            knowledge: &self.knowledge,
            policy: conditions.policy,
            timeline,
        };
        self.simulate(&task, order)
    }

    fn tree(&self, position: usize, nodes: &Growth, width: usize) -> Result<Option<Tree>, RuleFault> {
        nodes.tree(self.game, &self.roots[position].position, width)
    }

    fn calibrate(&self, time: Duration, control: &Control) -> Result<(Duration, u64), RuleFault> {
        let table = Bucketed::new(16, Replacement::Age);
        let settings = settings(search::Engine::NegaScout, false);
        // What is made when it is first needed, as machine code is, costs no node anything.
        let shallow = Limits { nodes: Some(WARM_UP_NODES), ..Limits::to_depth(4) };
        self.search_alone(&settings, &shallow, (&table, control, &StoppedClock))?;
        table.clear();
        // A depth that is never reached: an exact search without one would prove its result on an empty table.
        let limits = Limits { depth: Some(Depth::MAX), time: TimeLimit::Fixed(time), ..Limits::default() };
        let began = Instant::now();
        let clock = move || began.elapsed();
        let report = self.search_alone(&settings, &limits, (&table, control, &clock))?;
        Ok((report.elapsed, report.nodes))
    }
}

#[cfg(test)]
mod tests {
    use fabric::simulation::{Network, Topology};
    use parallel::stealing::{Policy, TableKind};

    use search::Settings;

    use super::*;
    use crate::conditions::Special;
    use crate::experiment::values::Trouble;
    use crate::speedup::{Row, check};

    #[test]
    fn who_dies_unasked_is_an_error() {
        let measures = [Some(Measures { nodes: 3, ..Measures::default() }), None];
        assert_eq!(all_together(&measures, |processor| processor == 1).unwrap().nodes, 3);
        let error = all_together(&measures, |_| false).unwrap_err();
        assert!(matches!(error, LabError::Panicked { processor: 1, processors: 2 }), "{error}");
    }

    #[test]
    fn one_virtual_processor_searches_like_a_thread() {
        let game = native::NativeConnect4::new();
        let start = game.info().start.clone().unwrap();
        let subject = Positions::new(&game, &start, std::slice::from_ref(&start)).unwrap();
        let mut conditions = Conditions {
            settings: Settings::new(search::Engine::NegaScout).exact(),
            depth: 6,
            policy: Policy::YBWC,
            fabric: Fabric::Threads,
            tables: TableKind::Shared,
            table_bytes: 1 << 20,
            table_depth: 1,
            prefetch: true,
            combine: 1,
            ahead: 0,
            equal_memory: true,
            node_cost: Some(Duration::from_micros(1)),
        };
        let thread = subject.run(&conditions, 0, 1).unwrap();
        conditions.fabric = Fabric::Virtual { network: Network::SHARED, topology: Topology::Full };
        let alone = subject.run(&conditions, 0, 1).unwrap();
        assert_eq!((alone.nodes, &alone.score), (thread.nodes, &thread.score));
        let many = subject.run(&conditions, 0, 8).unwrap();
        check(&conditions, 1, 8, &many, &alone).unwrap();
        let row = Row::new(8, &[many], std::slice::from_ref(&alone));
        assert!(row.speedup > 1.0 && row.load <= 1.0, "{row:?}");
        for text in ["delays", "slow=2", "dies=3", "delays=5,slow=1x4,dies=1"] {
            let trouble: Trouble = text.parse().unwrap();
            let special = Special { faults: trouble.0, scheduling: None };
            let order = |processors| Order { special, ..Order::new(&conditions, 0, processors) };
            let disturbed = subject.perform(&order(8)).unwrap();
            check(&conditions, 1, 8, &disturbed, &alone).unwrap();
            let again = subject.perform(&order(8)).unwrap();
            assert_eq!((disturbed.nodes, disturbed.seconds), (again.nodes, again.seconds), "{text}");
            assert!((subject.perform(&order(1)).unwrap().seconds - alone.seconds).abs() < 1e-12, "{text}");
        }
    }
}
