//! Searches on processes that `mpirun` started. All processes run the same program with the same arguments and so come to the same
//! searches, in the same order; process 0 leads them, and it alone has the answers.
//!
//! Threads of a process share its table; processes tell each other what is worth it, many entries in a message.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use fabric::cluster::{Cluster, JoinError};
use fabric::{Processor, ProcessorId};
use game::{Game, RuleFault};
use search::{Control, Progress, Report, Resources, Score, Statistics, StoppedClock, Team};
use table::Table;

use crate::stealing::{Busy, NODES_BETWEEN_LOOKS, Pace, Pause, Task, Tools, gather, work};
use crate::tables::Replicated;

/// Entries of less depth stay in their process, and so many of the rest make a message.
const DEPTH_MIN: u8 = 3;
const BATCH: usize = 64;

/// Messages between hosts take longer than between threads.
const PAUSES: Pause = Pause { least: Duration::from_micros(20), most: Duration::from_millis(1) };

thread_local! {
    /// The cluster that this thread has joined: MPI is spoken to by one thread.
    static JOINED: RefCell<Option<Rc<Cluster>>> = const { RefCell::new(None) };
}

/// Takes part in the cluster that this process was started in, until [`leave`]. Searches of this thread are shared by all processes
/// from now on. Called together by all of them.
///
/// # Errors
/// When MPI does not let us.
pub fn join() -> Result<(), JoinError> {
    let cluster = Rc::new(Cluster::join()?);
    JOINED.set(Some(cluster));
    Ok(())
}

/// Leaves the cluster; waits until all processes do.
pub fn leave() {
    JOINED.set(None);
}

/// The cluster that this thread has joined, if it has more than one process.
pub(crate) fn joined() -> Option<Rc<Cluster>> {
    JOINED.with_borrow(|joined| joined.clone()).filter(|cluster| cluster.processes() > 1)
}

/// Searches on so many threads of every process. Process 0 gets the answer; the others get one that says nothing.
///
/// # Errors
/// When the rules go wrong.
///
/// # Panics
/// When all threads of process 0 have panicked.
pub(crate) fn search<G: Game, T: Table + Sync>(
    cluster: &Cluster,
    task: &Task<'_, G>,
    threads: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    let (team, busy, nobody_stops_me) = (Team::default(), Busy::new(), Control::default());
    let pace = Pace { cost: Duration::ZERO, interval: NODES_BETWEEN_LOOKS, pauses: PAUSES };
    let tools = Tools {
        control: &nobody_stops_me,
        clock: &StoppedClock,
        team: &team,
        facts: None,
        busy: &busy,
        pace,
        epoch: resources.clock.now(),
    };
    let is_first = cluster.process() == 0;
    let tools_of_leader = Tools { control: resources.control, clock: resources.clock, facts: None, ..tools };
    let (table, processes, process) = (resources.table, cluster.processes(), cluster.process());
    let own_table = |here: &dyn Processor| {
        let threads = (here.processors() / processes) as u32;
        (0..processes as u32)
            .filter(|&other| other != process as u32)
            .map(|other| ProcessorId(other * threads))
            .collect()
    };
    let shares = cluster.run_led(
        threads,
        search::STACK_BYTES,
        |here| {
            let table = Replicated::new(here, table, own_table(here), DEPTH_MIN, BATCH);
            work(here, task, &table, if is_first { &tools_of_leader } else { &tools }, progress)
        },
        &|here: &dyn Processor| {
            let table = Replicated::new(here, table, own_table(here), DEPTH_MIN, BATCH);
            work(here, task, &table, &tools, &mut |_| {})
        },
    );
    let (found, nodes) = gather(shares);
    let nodes = cluster.sum(nodes);
    match found {
        Some(found) => found.map(|found| Report { nodes, ..found.report }),
        None => {
            assert!(!is_first, "the search ended on at least one thread");
            Ok(nothing())
        }
    }
}

/// The report of a process that is not asked.
fn nothing() -> Report {
    Report {
        score: Score::DRAW,
        best: None,
        principal_variation: Vec::new(),
        depth: search::Depth(0),
        proven: false,
        bounds: None,
        nodes: 0,
        elapsed: Duration::ZERO,
        statistics: Statistics::default(),
        fault: None,
    }
}
