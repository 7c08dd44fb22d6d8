//! A search on all processors of a fabric: one leads, the others work for it.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use fabric::simulation::{Machine, Stuck};
use fabric::{Processor, ProcessorId, threads};
use game::{Erased, Game, RuleFault};
use search::experience::Experience;
use search::experience::Lessons;
use search::facts::Facts;
use search::watch::Watch;
use search::{
    Clock, Control, Kept, Knowledge, Limits, Progress, Report, Resources, Root, Searcher, Settings,
    Statistics, StoppedClock, Team,
};
use table::{Memory, Replacement, Table};

use super::busy::Busy;
use super::crew::{Crew, Pace, Pause};
use super::peers;
use super::policy::{Driver, Everybody, Policy};
use super::seeking::Next;
use crate::again::Past;
use crate::asking::{Asking, Groups, Thresholds};
use crate::measures::Measures;
use crate::tables::{Partitioned, Replicated};
use crate::timeline::{Recorder, Timeline};
use crate::{central, tdsab};

const REAL_PAUSES: Pause = Pause { least: Duration::from_micros(5), most: Duration::from_micros(300) };

/// What is searched, and how it is shared out.
pub struct Task<'task, G: Game> {
    /// The game.
    pub game: &'task G,
    /// Where the search begins.
    pub root: &'task Root<G>,
    /// How it is searched.
    pub settings: Settings,
    /// When to end.
    pub limits: Limits,
    /// What is known of the game.
    pub knowledge: &'task Knowledge,
    /// Which work is given away when, and to whom.
    pub policy: Policy,
    /// Where to write down what processors do when, if anywhere.
    pub timeline: Option<&'task Timeline>,
}

/// What one processor has to tell at the end.
pub(crate) struct Share {
    pub(crate) measures: Measures,
    /// What its search counted.
    pub(crate) statistics: Statistics,
    /// What came of the search, if it led.
    pub(crate) report: Option<Result<Report, RuleFault>>,
}

/// What came of a search on several processors.
pub struct Together {
    /// The result, with the nodes and statistics of all.
    pub report: Report,
    /// What each processor did; `None` for those that died.
    pub measures: Vec<Option<Measures>>,
}

/// What a processor works with.
#[derive(Clone)]
pub(crate) struct Tools<'run> {
    pub(crate) control: &'run Control,
    pub(crate) clock: &'run dyn Clock,
    pub(crate) team: Team<'run>,
    pub(crate) facts: Option<Arc<Facts>>,
    /// What is learned together, if anything is.
    pub(crate) experience: Option<Arc<Experience>>,
    pub(crate) busy: &'run Busy,
    pub(crate) pace: Pace,
    /// The time of the caller when the clocks of the processors begin.
    pub(crate) epoch: Duration,
    /// How the leader is stopped, for who leads in its place when it is gone.
    pub(crate) outside: (&'run Control, &'run dyn Clock),
}

/// The program of one processor.
pub(crate) fn work<'run, G: Game>(
    here: &'run dyn Processor,
    task: &'run Task<'run, G>,
    table: &'run dyn Table,
    tools: &Tools<'run>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Share {
    match task.policy.driver {
        Driver::Leader(_) | Driver::Homes if here.processors() > 1 => {
            return work_elsewhere(here, task, table, tools, progress);
        }
        Driver::Leader(_) | Driver::Homes | Driver::Brothers => {}
    }
    let crew = Crew::new(here, task.game, task.policy, tools.busy, table, tools.pace, task.settings.seed);
    let recorder = |timeline| Recorder { timeline, processor: here.id(), epoch: tools.epoch };
    let crew = crew.recorded(task.timeline.map(recorder));
    let leads = here.id().0 == 0;
    let free = Limits::default();
    let limits = if leads { &task.limits } else { &free };
    let watch = Watch::new(limits, tools.control, tools.clock).together(Some(tools.team));
    let Task { game, root, settings, knowledge, .. } = task;
    let lessons = Lessons::shared(knowledge, tools.facts.as_ref(), tools.experience.as_ref());
    let mut searcher = Searcher::keeping(*game, *root, settings, &table, knowledge, watch, crew, lessons);
    let report = if leads {
        Some(lead(here, &mut searcher, task, settings, progress))
    } else {
        follow(here, &mut searcher, task, tools)
    };
    Share { measures: searcher.company().measures(), statistics: searcher.statistics(), report }
}

/// The program of one processor where brothers are not shared out. These searches are there to be compared with others,
/// so they are compiled once for all games.
fn work_elsewhere<G: Game>(
    here: &dyn Processor,
    task: &Task<'_, G>,
    table: &dyn Table,
    tools: &Tools<'_>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Share {
    let Task { settings, limits, knowledge, policy, timeline, .. } = *task;
    let game = Erased::new(task.game);
    let root = &task.root.erased();
    let task = &Task { game: &game, root, settings, limits, knowledge, policy, timeline };
    match policy.driver {
        Driver::Leader(direction) => central::work(here, task, direction, table, tools, progress),
        Driver::Homes | Driver::Brothers => tdsab::work(here, task, table, tools, progress),
    }
}

type Member<'run, G> = Searcher<'run, G, &'run dyn Table, Crew<'run, G>>;

/// Searches the root, and sends all home.
fn lead<G: Game>(
    here: &dyn Processor,
    searcher: &mut Member<'_, G>,
    task: &Task<'_, G>,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    let report = searcher.lead(settings, &task.limits, &mut |news| {
        Crew::<G>::tell_iteration(here, news.depth);
        progress(news);
    });
    searcher.company().end();
    report
}

/// Works for others until the search is over; leads it if the leader dies.
fn follow<'run, G: Game>(
    here: &dyn Processor,
    searcher: &mut Member<'run, G>,
    task: &Task<'_, G>,
    tools: &Tools<'run>,
) -> Option<Result<Report, RuleFault>> {
    if task.policy.everybody != Everybody::No {
        help_at_the_root(here, searcher, task);
    }
    loop {
        let (crew, mut desk) = searcher.desk();
        match crew.next(&mut desk) {
            Next::Work(work) => {
                // Faults of the rules are met again by the processor that gave the work.
                let finding = searcher.perform(&work).unwrap_or(None);
                search::Company::<G::Position>::report(searcher.company(), finding);
            }
            Next::Lead(depth) => {
                let last = task.limits.depth.map_or(i32::MAX, |depth| depth.0);
                let settings = Settings { first_depth: (depth.0 + 1).min(last), ..task.settings };
                searcher.take_over(&task.limits, tools.outside.0, tools.outside.1, tools.epoch);
                return Some(lead(here, searcher, task, &settings, &mut |_| {}));
            }
            Next::End => return None,
        }
    }
}

/// Searches the root like all others, until the leader has an answer. Every other processor is an iteration ahead, so
/// that not all look for the same.
fn help_at_the_root<G: Game>(here: &dyn Processor, searcher: &mut Member<'_, G>, task: &Task<'_, G>) {
    let first_depth = task.settings.first_depth + (here.id().0 % 2) as i32;
    let settings = Settings { first_depth, ..task.settings };
    // A fault of the rules is met by the leader too if it matters.
    let _ = searcher.lead(
        &settings,
        &Limits { depth: Some(search::Depth::MAX), ..Limits::default() },
        &mut |_| {},
    );
}

/// What the processors tell at the end, put together.
pub(crate) struct Gathered {
    /// What came of the search, if one of them led it to its end.
    pub(crate) report: Option<Result<Report, RuleFault>>,
    measures: Vec<Option<Measures>>,
    pub(crate) statistics: Statistics,
    /// How many have nothing to tell: they are dead.
    pub(crate) lost: usize,
}

impl Gathered {
    pub(crate) fn new(shares: Vec<Option<Share>>) -> Gathered {
        let mut statistics = Statistics::default();
        let (mut report, mut measures) = (None, Vec::new());
        for share in shares {
            measures.push(share.as_ref().map(|share| share.measures.clone()));
            let Some(share) = share else { continue };
            statistics += share.statistics;
            report = report.or(share.report);
        }
        let lost = measures.iter().filter(|measures| measures.is_none()).count();
        Gathered { report, measures, statistics, lost }
    }

    /// What each of them did; `None` for the dead.
    #[cfg(feature = "mpi")]
    pub(crate) fn measures(&self) -> &[Option<Measures>] {
        &self.measures
    }

    /// What came of the search, after what was done before it was begun again; `None` if it has to be.
    pub(crate) fn together(self, past: &Past, now: Duration) -> Option<Result<Together, RuleFault>> {
        let Gathered { report, measures, statistics, lost } = self;
        let whole = |report: Report| {
            let report = past.complete(Report { nodes: statistics.nodes, statistics, ..report }, lost, now);
            Together { report, measures }
        };
        report.map(|report| report.map(whole))
    }
}

/// Searches on so many threads with one table.
///
/// # Errors
/// When the rules go wrong.
///
/// # Panics
/// When all threads have panicked.
pub fn on_threads<G: Game, T: Table + Sync>(
    task: &Task<'_, G>,
    threads: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Together, RuleFault> {
    // A picture of what happens shows it where nodes may be shared.
    if task.policy.everybody == Everybody::Defers && task.timeline.is_none() {
        return peers::side_by_side(task, threads, resources, &Kept::default(), progress);
    }
    let (nodes, busy) = (AtomicU64::new(0), Busy::new());
    let nobody_stops_me = Control::default();
    let tools = Tools {
        control: &nobody_stops_me,
        clock: &StoppedClock,
        team: Team::new(&nodes),
        facts: Some(Arc::new(Facts::for_threads())),
        experience: Some(Arc::new(Experience::new(task.knowledge))),
        busy: &busy,
        pace: Pace::real(REAL_PAUSES),
        epoch: resources.clock.now(),
        outside: (resources.control, resources.clock),
    };
    let tools_of_leader = Tools { control: resources.control, clock: resources.clock, ..tools.clone() };
    let (table, question) = (resources.table, game::stopping::current());
    let shares = threads::run_led(
        threads,
        search::STACK_BYTES,
        |here| work(here, task, table, &tools_of_leader, progress),
        &|here: &dyn Processor| {
            let work = || work(here, task, table, &tools, &mut |_| {});
            match &question {
                Some(question) => game::stopping::unless(Arc::clone(question), work),
                None => work(),
            }
        },
    );
    let found = Gathered::new(shares).together(&Past::new(tools.epoch), resources.clock.now());
    found.expect("the search ended on at least one thread")
}

/// Where virtual processors keep what they find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    /// One table for all.
    Shared,
    /// Each processor has a part of it.
    Partitioned,
    /// Each processor has its own, and tells the others what it stores.
    Replicated,
    /// Each processor has its own; it tells the others what is deep, and asks them about the rest, by messages.
    Asked,
    /// Each processor has its own.
    Local,
}

/// A virtual machine for searches.
pub struct Laboratory {
    /// The machine.
    pub machine: Machine,
    /// What a node costs on a modern processor.
    pub node_cost: Duration,
    /// Which tables there are.
    pub tables: TableKind,
    /// The size of each processor's part.
    pub table_bytes: usize,
    /// Searches of less depth neither ask nor tell the tables of other processors.
    pub table_depth: u8,
    /// Whether processors ask the tables of others before they make the move whose position they ask about.
    pub prefetch: bool,
    /// So many entries for one processor make a message, where tables are in parts.
    pub combine: usize,
    /// So many children of a node are asked about before the first answer is looked at, where tables are in parts.
    pub ahead: usize,
    /// Ends the search from outside, with what it has come to.
    pub stop: Option<Arc<Control>>,
}

/// The part of its memory that a processor keeps for itself, where its table belongs to all.
const NEAR_SHARE: usize = 4;

/// What came of a search on a virtual machine.
pub struct Simulated {
    /// The result and what each processor did.
    pub together: Together,
    /// How long it took there.
    pub time: Duration,
    /// A fingerprint of all messages.
    pub trace: u64,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The rules went wrong.
    #[error("{0}")]
    Fault(Box<RuleFault>),
    /// All processors waited for each other.
    #[error("{0}")]
    Stuck(#[from] Stuck),
    /// No processor was left.
    #[error("all processors died")]
    Nobody,
}

/// Searches on a virtual machine.
///
/// # Errors
/// When the rules go wrong, or no processor is left.
pub fn simulated<G: Game>(task: &Task<'_, G>, laboratory: &Laboratory) -> Result<Simulated, SimulationError> {
    let Laboratory { machine, tables, table_bytes, table_depth, prefetch, combine, ahead, .. } = laboratory;
    let (processors, bytes) = (machine.processors, *table_bytes);
    let near_bytes = if *tables == TableKind::Partitioned && processors > 1 { bytes / NEAR_SHARE } else { 0 };
    let (memory, near) = match tables {
        TableKind::Shared => (Memory::new(1, bytes * processors), Memory::new(0, 0)),
        _ => (Memory::new(processors, bytes - near_bytes), Memory::new(processors, near_bytes)),
    };
    let (own, near) = (memory.tables(Replacement::Age), near.tables(Replacement::Age));
    let of = |here: &dyn Processor| &own[here.id().index()];
    match tables {
        _ if processors == 1 => simulated_with(task, laboratory, &|here, search| search(here, &own[0])),
        TableKind::Shared => simulated_with(task, laboratory, &|here, search| search(here, &own[0])),
        TableKind::Partitioned => simulated_with(task, laboratory, &|here, search| {
            let table = Partitioned::new(here, &own, &near[here.id().index()], *table_depth);
            search(here, &table.with_prefetch(*prefetch).with_ahead(*ahead).with_batch(*combine));
        }),
        TableKind::Replicated => simulated_with(task, laboratory, &|here, search| {
            let all = (0..here.processors() as u32).map(ProcessorId);
            let others = all.filter(|&other| other != here.id()).collect();
            search(here, &Replicated::new(here, of(here), others, *table_depth, task.policy.batch));
        }),
        TableKind::Asked => simulated_with(task, laboratory, &|here, search| {
            let alone = (0..here.processors() as u32).map(|number| vec![ProcessorId(number)]);
            let groups = Groups::new(alone.collect(), here.id()).expect("every processor is one of all");
            let asking = Asking::new(here, of(here), groups, thresholds(task, laboratory));
            search(&asking, &asking);
        }),
        TableKind::Local => simulated_with(task, laboratory, &|here, search| search(here, of(here))),
    }
}

/// Which entries are asked for on a virtual machine.
fn thresholds<G: Game>(task: &Task<'_, G>, laboratory: &Laboratory) -> Thresholds {
    let node_time = laboratory.node_cost * laboratory.machine.network.slowness;
    Thresholds::new(&task.policy, laboratory.table_depth, node_time * NODES_OF_PATIENCE)
}

/// Nodes that a virtual processor could search while it waits for what another table knows, at most.
const NODES_OF_PATIENCE: u32 = 200;

/// Nodes that a virtual processor could search while it waits to ask again, at most. Where more ask, each asks less
/// often: questions of a thousand idle processors would keep a machine without hardware for routing busy for good.
/// Requests that are kept need not be repeated.
fn longest_pause(policy: &Policy, processors: usize) -> u32 {
    let crowds = if policy.keeps_requests { 1 } else { processors as u32 / PROCESSORS_THAT_ASK_FREELY };
    4 * crowds.max(1)
}

const PROCESSORS_THAT_ASK_FREELY: u32 = 256;

/// Nodes between two looks at the mailbox of a virtual processor. Where many search the root at the same time and
/// no processor asks for anything, they look less often: changing from one to the next at every node takes most of the
/// time of a simulation.
fn interval(policy: &Policy, processors: usize) -> u32 {
    let at_the_root = policy.everybody != Everybody::No
        || matches!(policy.driver, Driver::Leader(central::Direction::Aspiration));
    if at_the_root && processors > 64 { NODES_AT_THE_ROOT } else { 1 }
}

const NODES_AT_THE_ROOT: u32 = 8;

/// What gives a processor its table, and lets it search with it; a table that exchanges messages stands between the
/// processor and its program.
pub type Tables<'tables> = dyn Fn(&dyn Processor, &mut dyn FnMut(&dyn Processor, &dyn Table)) + 'tables;

/// The same with tables of the caller's making.
///
/// # Errors
/// As [`simulated`].
pub fn simulated_with<G: Game>(
    task: &Task<'_, G>,
    laboratory: &Laboratory,
    tables: &Tables<'_>,
) -> Result<Simulated, SimulationError> {
    let Laboratory { machine, node_cost, .. } = laboratory;
    // Generators that call themselves want to know how much stack they have.
    let machine = Machine { on_switch: game::stack::set_limit, ..machine.clone() };
    let (nodes, busy, nobody_stops_me) = (AtomicU64::new(0), Busy::new(), Control::default());
    let control = laboratory.stop.as_deref().unwrap_or(&nobody_stops_me);
    let node_time = *node_cost * machine.network.slowness;
    let pauses =
        Pause { least: node_time / 2, most: longest_pause(&task.policy, machine.processors) * node_time };
    let tools = Tools {
        control: &nobody_stops_me,
        clock: &StoppedClock,
        team: Team::new(&nodes),
        facts: Some(Arc::new(Facts::new())),
        experience: None,
        busy: &busy,
        pace: Pace {
            cost: *node_cost,
            node_time,
            interval: interval(&task.policy, machine.processors),
            pauses,
        },
        epoch: Duration::ZERO,
        outside: (control, &StoppedClock),
    };
    let tools_of_leader = Tools { control, ..tools.clone() };
    let program = |here: &dyn Processor| {
        let tools = if here.id().0 == 0 { &tools_of_leader } else { &tools };
        let mut share = None;
        tables(here, &mut |here, table| share = Some(work(here, task, table, tools, &mut |_| {})));
        share.expect("every processor is given a table")
    };
    let outcome = machine.run(&program)?;
    let (time, trace) = (outcome.time, outcome.trace);
    let gathered = Gathered::new(outcome.results);
    let together = gathered.together(&Past::new(Duration::ZERO), time).ok_or(SimulationError::Nobody)?;
    let together = together.map_err(|fault| SimulationError::Fault(Box::new(fault)))?;
    Ok(Simulated { together, time, trace })
}
