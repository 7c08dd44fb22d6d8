//! A puzzle on all processors of a fabric.

use std::time::Duration;

use fabric::simulation::{Faults, Machine, Outcome, Stuck};
use fabric::{Processor, ProcessorId, threads};
use search::one_player::{Budget, Found, Progress, Verdict};

use super::memory::Memory;
use super::settings::{Effort, Lost, Scheduling, Settings};
use super::space::Space;
use super::worker::{Ending, Known, Leader, Share, Worker};
use crate::again::ATTEMPTS;

/// Stack of a processor: searches below a state call themselves once a move.
const STACK_BYTES: usize = 8 << 20;

/// Stack of a virtual processor.
const VIRTUAL_STACK_BYTES: usize = 1 << 18;

/// States for which a real processor always has room.
const WIDE_MIN: usize = 256;

/// A puzzle to be solved.
#[derive(Clone, Copy)]
pub struct Task<'task> {
    /// The puzzle.
    pub space: &'task dyn Space,
    /// How it is shared out.
    pub settings: Settings,
    /// Memory for what is remembered, of all processors together.
    pub table_bytes: usize,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Together {
    /// The answer, and the nodes of all.
    pub found: Found<usize>,
    /// What each processor did.
    pub efforts: Vec<Effort>,
}

impl Together {
    /// What all processors did.
    #[must_use]
    pub fn effort(&self) -> Effort {
        let mut sum = Effort::default();
        self.efforts.iter().for_each(|one| sum += one);
        sum
    }
}

/// Solves a puzzle on so many threads. If one panics it is begun again.
///
/// # Errors
/// When threads panic again and again.
pub fn on_threads(
    task: &Task<'_>,
    count: usize,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Result<Together, Lost> {
    let bytes = task.table_bytes / count.max(1);
    again_if_lost(&mut || {
        let shared = shared_memory(task);
        let leader = Leader { stop: limits.stop, nodes_max: limits.nodes, progress, naps: true };
        let shares = threads::run_led(
            count,
            STACK_BYTES,
            |here| work(here, task, shared.as_ref(), bytes, Some(leader)),
            &|here: &dyn Processor| work(here, task, shared.as_ref(), bytes, None),
        );
        gather(shares)
    })
}

/// What a dead processor knew and had to do is lost, so the puzzle is begun again: all iterations but the last one take
/// little time.
fn again_if_lost(attempt: &mut dyn FnMut() -> Result<Together, Lost>) -> Result<Together, Lost> {
    (1..ATTEMPTS).find_map(|_| attempt().ok()).map_or_else(attempt, Ok)
}

/// The program of a real processor.
fn work(
    here: &dyn Processor,
    task: &Task<'_>,
    shared: Option<&Memory>,
    own_bytes: usize,
    leader: Option<Leader<'_>>,
) -> Share {
    let own = Memory::new(if shared.is_some() { 0 } else { own_bytes });
    let known = Known::Here(shared.unwrap_or(&own));
    // All together have room for as many states as one, and so look at them in the same order.
    let wide = (task.settings.wide / here.processors()).max(WIDE_MIN);
    Worker::new(here, task.space, Settings { wide, ..task.settings }, known, leader).run()
}

/// One table for all, where each does not own a part.
fn shared_memory(task: &Task<'_>) -> Option<Memory> {
    (task.settings.scheduling == Scheduling::Stealing).then(|| Memory::new(task.table_bytes))
}

/// Puts together what processors tell. Processor 0 leads.
fn gather(shares: Vec<Option<Share>>) -> Result<Together, Lost> {
    let mut efforts = Vec::new();
    let (mut answer, mut lost) = (None, None);
    for (number, share) in shares.into_iter().enumerate() {
        let Some(share) = share else {
            lost = Some(Lost(ProcessorId(number as u32)));
            continue;
        };
        efforts.push(share.effort);
        match share.ending {
            Ending::Lost(gone) => lost = lost.or(Some(gone)),
            Ending::Over => {}
            ending => answer = Some((ending, share.limit)),
        }
    }
    let nodes = efforts.iter().map(|effort| effort.nodes).sum();
    match (answer, lost) {
        // An answer is an answer, whichever processor dies after it.
        (Some((ending, bound)), _) => Ok(Together { found: found(ending, bound, nodes), efforts }),
        (None, Some(lost)) => Err(lost),
        (None, None) => Ok(Together { found: found(Ending::Stopped, 0, nodes), efforts }),
    }
}

fn found(ending: Ending, bound: u32, nodes: u64) -> Found<usize> {
    let verdict = match ending {
        Ending::Solved(path) => Verdict::Solved(vec![path.into_iter().map(usize::from).collect()]),
        Ending::Unsolvable => Verdict::Unsolvable,
        Ending::Stopped | Ending::Lost(_) | Ending::Over => Verdict::Unknown,
    };
    let solutions = u64::from(matches!(verdict, Verdict::Solved(_)));
    Found { verdict, bound, nodes, solutions }
}

/// What came of a puzzle on a virtual machine.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The answer and what each processor did.
    pub together: Together,
    /// How long it took there.
    pub time: Duration,
    /// A fingerprint of all messages.
    pub trace: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A processor died.
    #[error("{0}")]
    Lost(#[from] Lost),
    /// All processors waited for each other.
    #[error("{0}")]
    Stuck(#[from] Stuck),
}

/// Solves a puzzle on a virtual machine. When a processor dies it is begun again without that one.
///
/// # Errors
/// When all processors die.
pub fn simulated(task: &Task<'_>, machine: &Machine) -> Result<Simulated, SimulationError> {
    simulated_unless(task, machine, &|| false)
}

/// The same, which gives up when it is asked to.
///
/// # Errors
/// As [`simulated`].
pub fn simulated_unless(
    task: &Task<'_>,
    machine: &Machine,
    stop: &dyn Fn() -> bool,
) -> Result<Simulated, SimulationError> {
    let mut machine =
        Machine { stack_bytes: machine.stack_bytes.min(VIRTUAL_STACK_BYTES), ..machine.clone() };
    let (mut before, mut wasted, mut trace) = (Duration::ZERO, Vec::new(), 0_u64);
    loop {
        let outcome = attempt(task, &machine, stop)?;
        let time = before + outcome.time;
        trace = outcome.trace ^ trace.rotate_left(1);
        let shares = (0..).map(ProcessorId).zip(&outcome.results);
        let dead: Vec<ProcessorId> = shares.filter_map(|(id, share)| share.is_none().then_some(id)).collect();
        let efforts: Vec<Effort> =
            outcome.results.iter().flatten().map(|share| share.effort.clone()).collect();
        match gather(outcome.results) {
            Err(_) if (1..machine.processors).contains(&dead.len()) => {
                machine = without(&machine, &dead, outcome.time);
                before = time;
                wasted.extend(efforts);
            }
            together => {
                let mut together = together?;
                together.efforts.extend(wasted);
                return Ok(Simulated { together, time, trace });
            }
        }
    }
}

/// The machine that is left when these processors are dead, so much later.
fn without(machine: &Machine, dead: &[ProcessorId], time: Duration) -> Machine {
    let is_alive = |id: &ProcessorId| !dead.contains(id);
    let renamed =
        |id: ProcessorId| ProcessorId(id.0 - dead.iter().filter(|gone| gone.0 < id.0).count() as u32);
    let Faults { delay, slow, deaths } = &machine.faults;
    let faults = Faults {
        delay: *delay,
        slow: slow.iter().filter(|(id, _)| is_alive(id)).map(|&(id, times)| (renamed(id), times)).collect(),
        deaths: deaths
            .iter()
            .filter(|(id, _)| is_alive(id))
            .map(|&(id, when)| (renamed(id), when.saturating_sub(time)))
            .collect(),
    };
    Machine { processors: machine.processors - dead.len(), faults, ..machine.clone() }
}

/// Solves a puzzle on a virtual machine, unless a processor dies.
fn attempt(task: &Task<'_>, machine: &Machine, stop: &dyn Fn() -> bool) -> Result<Outcome<Share>, Stuck> {
    let count = machine.processors;
    let parts: Vec<Memory> = (0..count).map(|_| Memory::new(task.table_bytes / count)).collect();
    let program = |here: &dyn Processor| {
        let known = match task.settings.scheduling {
            Scheduling::Home => Known::Here(&parts[here.id().index()]),
            Scheduling::Stealing => Known::Parts(&parts),
        };
        let mut progress = |_, _| {};
        let leads = here.id().0 == 0;
        let leader = Leader { stop, nodes_max: None, progress: &mut progress, naps: false };
        Worker::new(here, task.space, task.settings, known, leads.then_some(leader)).run()
    };
    machine.run(&program)
}

/// Solves a puzzle on so many threads of every process that `mpirun` started. Process 0 gets the answer; the others
/// get one that says nothing, but for what all processors did. `None` if there is but one process. Called together.
///
/// # Errors
/// When a thread panicked.
#[cfg(feature = "mpi")]
pub fn on_cluster(
    task: &Task<'_>,
    threads: usize,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Option<Result<Together, Lost>> {
    let cluster = crate::cluster::joined()?;
    Some(again_if_lost(&mut || on_cluster_once(&cluster, task, threads, limits, progress)))
}

/// The same, unless a thread panics: then all processes hear of it.
#[cfg(feature = "mpi")]
fn on_cluster_once(
    cluster: &fabric::cluster::Cluster,
    task: &Task<'_>,
    threads: usize,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Result<Together, Lost> {
    let shared = shared_memory(task);
    let bytes = task.table_bytes / threads.max(1);
    let leads = cluster.process() == 0;
    let leader = Leader { stop: limits.stop, nodes_max: limits.nodes, progress, naps: true };
    let shares = cluster.run_led(
        threads,
        STACK_BYTES,
        |here| work(here, task, shared.as_ref(), bytes, leads.then_some(leader)),
        &|here: &dyn Processor| work(here, task, shared.as_ref(), bytes, None),
    );
    let own: Vec<_> =
        shares.iter().map(|share| share.as_ref().map(|share| share.effort.to_numbers())).collect();
    let all = crate::cluster::numbers_of_all(cluster, &own, Effort::NUMBERS);
    let efforts: Vec<Effort> = all.iter().flatten().map(|numbers| Effort::from_numbers(numbers)).collect();
    let nodes = efforts.iter().map(|effort| effort.nodes).sum();
    let found = gather(shares);
    // Process 0 has the answer, if there is one. Who was lost is told by a process that has heard of it.
    let is_answered = cluster.agree(!leads || found.is_ok());
    let lost = found.as_ref().err().copied().unwrap_or(Lost(ProcessorId(0)));
    if !is_answered {
        return Err(lost);
    }
    let nothing = || Together { found: self::found(Ending::Stopped, 0, 0), efforts: Vec::new() };
    let own = found.unwrap_or_else(|_| nothing());
    Ok(Together { found: Found { nodes, ..own.found }, efforts })
}

/// Solves a puzzle on all processors there are: those of a cluster if this process has joined one, else on threads.
///
/// # Errors
/// When a thread panicked.
pub fn solve(
    task: &Task<'_>,
    threads: usize,
    limits: &Budget<'_>,
    progress: &mut Progress<'_>,
) -> Result<Together, Lost> {
    #[cfg(feature = "mpi")]
    if let Some(found) = on_cluster(task, threads, limits, progress) {
        return found;
    }
    on_threads(task, threads, limits, progress)
}
