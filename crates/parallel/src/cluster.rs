//! Searches on processes that `mpirun` started. All processes run the same program with the same arguments and so
//! come to the same searches, in the same order; process 0 leads them, and it alone has the answers.
//!
//! The processes of a host share one table; hosts tell each other what is worth it, many entries in a message, and
//! ask each other about the rest. Where memory cannot be shared, each process has a table for its threads, and
//! processes tell and ask each other.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fabric::cluster::{Cluster, JoinError, Shared};
use fabric::{Processor, ProcessorId};
use game::{Game, RuleFault, Signature};
use search::experience::Experience;
use search::facts::Facts;
use search::{Clock, Control, Kept, Progress, Report, Resources, Score, Statistics, StoppedClock, Team};
use table::{Bound, Entry, Table};

use crate::again::{ATTEMPTS, Past};
use crate::asking::{Asking, Groups, Thresholds};
use crate::host_table::{self, HostTable, pour};
use crate::keeping;
use crate::measures::Measures;
use crate::stealing::{
    Board, Busy, Driver, Everybody, Gathered, Meeting, Pace, Pause, Policy, Share, Task, Together, Tools,
    peers, work,
};

/// Messages between hosts take longer than between threads.
const PAUSES: Pause = Pause { least: Duration::from_micros(20), most: Duration::from_millis(1) };

/// An answer of another host is waited for so long at most.
const PATIENCE: Duration = Duration::from_millis(1);

/// Says in the caller's table that the rest of it is in the memory of the host, as long as it is not cleared.
const REST_IS_AT_HOST: Signature = Signature(0x686f_7374_2074_6162);

/// What is stored there: nothing that is ever searched for.
const NOTE: Entry = Entry { score: 0, bound: Bound::Exact, depth: 0, best: None, effort: 0, generation: 0 };

thread_local! {
    /// The cluster that this thread has joined: MPI is spoken to by one thread.
    static JOINED: RefCell<Option<Rc<Cluster>>> = const { RefCell::new(None) };
    /// The processes that worked [`among`] themselves last: how many, and, if this is one of them, their cluster.
    static PART: RefCell<Option<(usize, Option<Rc<Cluster>>)>> = const { RefCell::new(None) };
    /// The memory of the last search, kept for the next one: to make it takes longer than a short search.
    static MEMORY: RefCell<Option<Memory>> = const { RefCell::new(None) };
}

/// Memory that the processes of a host share.
struct Memory {
    shared: Rc<Shared>,
    /// For so many entries of each process.
    entries: usize,
    /// For so many who search side by side.
    peers: usize,
    /// Searches that have used it.
    searches: usize,
}

/// Takes part in the cluster that this process was started in, until [`leave`]. Searches of this thread are shared by
/// all processes from now on. Called together by all of them.
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
    MEMORY.set(None);
    PART.set(None);
    JOINED.set(None);
}

/// Lets the first so many processes do some work as if there were no others; those rest until it is done. `None` in
/// those. Called together.
pub(crate) fn among<R>(processes: usize, work: impl FnOnce() -> R) -> Option<R> {
    let Some(whole) = JOINED.with_borrow(Clone::clone) else { return Some(work()) };
    let done = part(&whole, processes).map(|part| {
        JOINED.set(Some(part));
        work()
    });
    JOINED.set(Some(Rc::clone(&whole)));
    whole.rest();
    done
}

/// The first so many processes; kept until others are wanted. Called together.
fn part(whole: &Rc<Cluster>, processes: usize) -> Option<Rc<Cluster>> {
    let kept = PART.with_borrow(|kept| kept.as_ref().filter(|(count, _)| *count == processes).cloned());
    if let Some((_, part)) = kept {
        return part;
    }
    // Both belong to the processes that worked last, which let go of them together.
    MEMORY.set(None);
    PART.set(None);
    let part = if processes == whole.processes() {
        Some(Rc::clone(whole))
    } else {
        whole.part(processes).map(Rc::new)
    };
    PART.set(Some((processes, part.clone())));
    part
}

/// Puts what the search under way has found out so far, on this host, into the table that it was given, so that it
/// can be saved. Called by the one who saves, from any thread of process 0; returns at once if no search is under
/// way.
pub fn bring_home() {
    keeping::ask();
}

/// The cluster that this thread has joined, if it has more than one process.
pub(crate) fn joined() -> Option<Rc<Cluster>> {
    JOINED.with_borrow(|joined| joined.clone()).filter(|cluster| cluster.processes() > 1)
}

/// How many processors there are if each process has so many threads, and which of them are in this one; `None` if
/// there is but one process. Called together.
#[must_use]
pub fn places(threads: usize) -> Option<(usize, std::ops::Range<usize>)> {
    let cluster = joined()?;
    let threads = cluster.threads(threads);
    let first = cluster.process() * threads;
    Some((cluster.processes() * threads, first..first + threads))
}

/// Lets process 0 do something before all others do the same. Called together by all processes that have joined.
pub fn first_alone<R>(work: impl FnOnce() -> R) -> R {
    let Some(cluster) = joined() else { return work() };
    if cluster.process() == 0 {
        let done = work();
        let _ = cluster.agree(true);
        done
    } else {
        let _ = cluster.agree(true);
        work()
    }
}

/// Searches on so many threads of every process. Process 0 gets the answer; the others get one that says nothing. If
/// all are on one host and it has room, they search side by side, as threads do, where it is said how. The policy is
/// the one that was followed; what each processor did is told if that counts, which all processes agree on.
///
/// # Errors
/// When the rules go wrong.
///
/// # Panics
/// When the thread that leads has panicked again and again.
pub(crate) fn search<G: Game, T: Table + Sync>(
    cluster: &Rc<Cluster>,
    task: &Task<'_, G>,
    beside: Option<Policy>,
    (threads, counts): (usize, bool),
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<(Policy, Together), RuleFault> {
    let own = resources.table;
    let threads = cluster.threads(threads);
    let peers = cluster.processes() * threads;
    let memory = memory(cluster, own, peers);
    let of_host = memory.as_ref().map(|(memory, search)| HostTable::new(memory, own.capacity(), *search));
    if let (Some((memory, search)), Some(of_host)) = (&memory, &of_host) {
        hand_over(cluster, own, memory, of_host, *search);
    }
    let from_outside = (resources.control, resources.clock);
    let policy = Cell::new(task.policy);
    let mut past = Past::new(resources.clock.now());
    let found = loop {
        let (settings, limits) = past.rest(&task.settings, &task.limits, resources.clock.now());
        let task = Task { settings, limits, ..*task };
        let mut told = None;
        let mut tell = |news: &Progress<'_>| {
            told = Some(news.depth);
            progress(news);
        };
        let mut work = || match (&memory, &of_host) {
            (Some((memory, _)), Some(of_host)) => {
                let board = beside.zip(board_words(cluster, memory, own.capacity()));
                policy.set(board.as_ref().map_or(task.policy, |(policy, _)| *policy));
                let beside = board.map(|(policy, words)| (policy, Board::new(words, peers), of_host));
                attempt(cluster, &task, beside, threads, (of_host, true), from_outside, &mut tell)
            }
            _ => attempt(cluster, &task, None, threads, (own, false), from_outside, &mut tell),
        };
        let shares = match &of_host {
            Some(of_host) => keeping::while_asked(&|| pour(of_host, own), work),
            None => work(),
        };
        told.into_iter().for_each(|depth| past.tell(depth));
        let gathered = Gathered::new(shares);
        if cluster.agree(cluster.process() > 0 || gathered.report.is_some()) {
            break gathered;
        }
        // The one that led is gone, or another process has the answer: the table knows it.
        past.fail(gathered.statistics, gathered.lost);
        assert!(past.restarts() < ATTEMPTS, "the thread that leads the search has panicked {ATTEMPTS} times");
    };
    let ended = resources.clock.now();
    if let Some(of_host) = &of_host {
        // It is saved, too.
        pour(of_host, own);
        own.store(REST_IS_AT_HOST, NOTE);
    }
    let measures = if counts { of_all(cluster, found.measures()) } else { Vec::new() };
    let report = summed(cluster, found, &past, ended)?;
    Ok((policy.get(), Together { report, measures }))
}

/// Searches as the policy of the task says, and tells what each processor did. Called together.
///
/// # Errors
/// When the rules go wrong.
pub(crate) fn by_policy<G: Game, T: Table + Sync>(
    cluster: &Rc<Cluster>,
    task: &Task<'_, G>,
    threads: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Together, RuleFault> {
    let beside = (task.policy.everybody == Everybody::Defers).then_some(task.policy);
    Ok(search(cluster, task, beside, (threads, true), resources, progress)?.1)
}

/// The report of all processes, with what those of earlier attempts have counted. Called together.
fn summed(cluster: &Cluster, found: Gathered, past: &Past, now: Duration) -> Result<Report, RuleFault> {
    let lost = cluster.sum((past.lost() + found.lost) as u64) as usize;
    let mut statistics = past.statistics();
    statistics += found.statistics;
    let own: Vec<u64> = statistics.rows().into_iter().map(|(_, count)| count).collect();
    for (number, sum) in statistics.numbers_mut().into_iter().zip(cluster.sums(&own)) {
        *number = sum;
    }
    let nodes = statistics.nodes;
    match found.together(past, now) {
        Some(found) => found.map(|found| Report { nodes, statistics, threads_lost: lost, ..found.report }),
        None => Ok(nothing()),
    }
}

/// What the processors of all processes did. Called together.
fn of_all(cluster: &Cluster, own: &[Option<Measures>]) -> Vec<Option<Measures>> {
    let own: Vec<_> = own.iter().map(|one| one.as_ref().map(Measures::to_numbers)).collect();
    let all = numbers_of_all(cluster, &own, Measures::NUMBERS);
    all.iter().map(|one| one.as_deref().map(Measures::from_numbers)).collect()
}

/// So many numbers of each processor of all processes, given those of this process; `None` for those that have not
/// come to the end. Called together.
pub(crate) fn numbers_of_all(
    cluster: &Cluster,
    own: &[Option<Vec<u64>>],
    count: usize,
) -> Vec<Option<Vec<u64>>> {
    // Whether the processor has come to the end, and its numbers.
    let words = 1 + count;
    let mut numbers = vec![0; cluster.processes() * own.len() * words];
    let places = numbers.chunks_exact_mut(words).skip(cluster.process() * own.len());
    for (words, of_one) in places.zip(own).filter_map(|(words, one)| Some((words, one.as_ref()?))) {
        words[0] = 1;
        words[1..].copy_from_slice(of_one);
    }
    let of_one = |words: &[u64]| (words[0] > 0).then(|| words[1..].to_vec());
    cluster.sums(&numbers).chunks_exact(words).map(of_one).collect()
}

/// Begins the search, side by side if there is a board; what the threads of this process tell.
fn attempt<G: Game>(
    cluster: &Rc<Cluster>,
    task: &Task<'_, G>,
    beside: Option<(Policy, Board<'_>, &HostTable<'_>)>,
    threads: usize,
    (table, is_of_host): (&(dyn Table + Sync), bool),
    from_outside: (&Control, &dyn Clock),
    tell: &mut dyn FnMut(&Progress<'_>),
) -> Vec<Option<Share>> {
    let Some((policy, board, table)) = beside else {
        return by_messages(cluster, task, threads, (table, is_of_host), from_outside, tell);
    };
    let task = Task { policy, ..*task };
    let lessons = Kept::default().of_threads(task.knowledge, &task.settings.heuristics, threads);
    let meeting = Meeting::new(board, lessons, cluster.process() * threads);
    // The board is clean before anyone looks at it.
    let _ = cluster.agree(true);
    cluster.run_led(
        threads,
        search::STACK_BYTES,
        |here| match cluster.process() {
            0 => peers::lead(here, &task, table, &meeting, from_outside, tell),
            _ => peers::follow(here, &task, table, &meeting),
        },
        &|here: &dyn Processor| peers::follow(here, &task, table, &meeting),
    )
}

/// What the threads of this process do if brothers are given away. The table is that of the host, or of the process
/// alone.
fn by_messages<G: Game>(
    cluster: &Rc<Cluster>,
    task: &Task<'_, G>,
    threads: usize,
    (table, is_of_host): (&(dyn Table + Sync), bool),
    (control, clock): (&Control, &dyn Clock),
    tell: &mut dyn FnMut(&Progress<'_>),
) -> Vec<Option<Share>> {
    let (nodes, busy, nobody_stops_me) = (AtomicU64::new(0), Busy::new(), Control::default());
    let tools = Tools {
        control: &nobody_stops_me,
        clock: &StoppedClock,
        team: Team::new(&nodes),
        facts: Some(Arc::new(Facts::new())),
        experience: Some(Arc::new(Experience::new(task.knowledge))),
        busy: &busy,
        pace: Pace::real(PAUSES),
        epoch: clock.now(),
        outside: (control, clock),
    };
    let tools_of_leader = Tools { control, clock, ..tools.clone() };
    let tools_of_first = if cluster.process() == 0 { &tools_of_leader } else { &tools };
    let thresholds = Thresholds::new(&task.policy, task.policy.told_depth, PATIENCE);
    let hosts = cluster.hosts();
    let work = |here: &dyn Processor, tools: &Tools<'_>, tell: &mut dyn FnMut(&Progress<'_>)| {
        // Where questions go to the homes of positions, what is known is there already.
        let groups = if task.policy.driver == Driver::Homes { None } else { groups(hosts, is_of_host, here) };
        match groups {
            Some(groups) => {
                let asking = Asking::new(here, table, groups, thresholds);
                work(&asking, task, &asking, tools, tell)
            }
            None => work(here, task, table, tools, tell),
        }
    };
    cluster.run_led(
        threads,
        search::STACK_BYTES,
        |here| work(here, tools_of_first, tell),
        &|here: &dyn Processor| work(here, &tools, &mut |_| {}),
    )
}

/// The memory of the host for a table as large as this one in each process and a board for so many peers, and the
/// number of the search; `None` if a host has too little room. Called together.
fn memory(cluster: &Rc<Cluster>, own: &dyn Table, peers: usize) -> Option<(Rc<Shared>, usize)> {
    MEMORY.with_borrow_mut(|kept| {
        let entries = own.capacity();
        if kept.as_ref().is_none_or(|kept| kept.entries != entries || kept.peers != peers) {
            // The old one goes first: there may not be room for both.
            *kept = None;
            let shared = Rc::new(host_table::share(cluster, entries, Board::words(peers))?);
            *kept = Some(Memory { shared, entries, peers, searches: 0 });
        }
        kept.as_mut().map(|kept| {
            kept.searches += 1;
            (Rc::clone(&kept.shared), kept.searches)
        })
    })
}

/// Puts what a table knows into that of the host, unless that has it already. Called together.
fn hand_over(cluster: &Cluster, own: &dyn Table, memory: &Shared, of_host: &HostTable<'_>, search: usize) {
    // What was read from a file may say so of another run.
    let is_there = search > 1 && own.probe(REST_IS_AT_HOST).is_some();
    if cluster.agree(is_there) {
        return;
    }
    memory.clear();
    if is_first_of_host(cluster.hosts(), cluster.process()) {
        pour(own, of_host);
    }
    // No process searches before it is there.
    let _ = cluster.agree(true);
}

/// The words of a board for all processes, all 0 for those who have agreed on something since; `None` if they are on
/// several hosts.
fn board_words<'run>(cluster: &Cluster, memory: &'run Shared, entries: usize) -> Option<&'run [AtomicU64]> {
    let is_one_host = cluster.hosts().iter().all(|host| *host == cluster.hosts()[0]);
    let words = memory.segments()[0].filter(|_| is_one_host)?;
    let words = &words[host_table::words(entries)..];
    if cluster.process() == 0 {
        words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
    Some(words)
}

/// Whether a process is the first one of its host, where these are the hosts of all.
fn is_first_of_host(hosts: &[usize], process: usize) -> bool {
    hosts.iter().position(|host| *host == hosts[process]) == Some(process)
}

/// The processors that share a table: those of each host, where these are the hosts of all processes, or those of each
/// process; `None` if all share one.
fn groups(hosts: &[usize], by_host: bool, here: &dyn Processor) -> Option<Groups> {
    let threads = here.processors() / hosts.len();
    let mut members = vec![Vec::new(); hosts.len()];
    for (process, host) in hosts.iter().enumerate() {
        let group = if by_host { *host } else { process };
        members[group].extend((0..threads).map(|thread| ProcessorId((process * threads + thread) as u32)));
    }
    members.retain(|group: &Vec<ProcessorId>| !group.is_empty());
    if members.len() > 1 { Groups::new(members, here.id()) } else { None }
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
        threads_lost: 0,
    }
}
