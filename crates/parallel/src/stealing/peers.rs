//! Threads that search one root side by side: nobody gives work away, nobody waits, and there are no messages but "this is
//! known by now". What the searches do is in `search::peers`; this is what they share. See README.md in this folder.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fabric::{Processor, threads};
use game::{Game, Move, RuleFault};
use search::company::Company;
use search::desk::Desk;
use search::experience::Experience;
use search::facts::Facts;
use search::line::{Assignment, Finding, NodeKind};
use search::node::Arrival;
use search::watch::{Interrupt, Watch};
use search::{Control, Depth, Limits, Progress, Resources, Score, Searcher, StoppedClock, Team, Window};
use table::Table;

use super::policy::Policy;
use super::run::{Share, Task, Together, gather};
use crate::measures::Measures;

/// Results that are kept: a search of some milliseconds. What is older is in the table.
const RESULTS: usize = 1 << 14;

/// A node that somebody is done with, or knows more of.
struct Done {
    ply: usize,
    name: u64,
    /// What it is worth, and its best line; `None` if a better move was found in it.
    found: Option<(Score, Vec<Move>)>,
}

/// Where a peer is at a ply: the names of the node and of the move of it that it searches; 0 where there is none. Written by the
/// peer itself, read by all. A name that is read too early or too late costs time and nothing else, so relaxed order suffices.
/// Others read some plies while their owner changes others, so each has a line of the cache to itself.
#[derive(Default)]
#[repr(align(64))]
struct Place {
    node: AtomicU64,
    played: AtomicU64,
}

/// What one peer lays open to the others.
#[repr(align(128))]
struct Seat {
    /// Where it is, by ply.
    path: Box<[Place]>,
    /// Whether somebody has written to `done`, which the lock publishes: relaxed order suffices.
    has_mail: AtomicBool,
    done: Mutex<Vec<Done>>,
}

impl Seat {
    fn new() -> Seat {
        let path = (0..=search::PLY_MAX).map(|_| Place::default()).collect();
        Seat { path, has_mail: AtomicBool::new(false), done: Mutex::default() }
    }

    fn is_in(&self, ply: usize, name: u64) -> bool {
        self.path[ply].node.load(Ordering::Relaxed) == name
    }
}

/// What peers share beside the table.
struct Board {
    seats: Vec<Seat>,
    /// What was found out lately, by name: the name folded with the result, and the result. Words that do not belong together do
    /// not fit the name, and are not believed; relaxed order suffices.
    results: Box<[AtomicU64]>,
    /// What the leader searches at the root, and how often that has changed. The lock publishes the first; the number only says
    /// that it is time to look.
    root: Mutex<(Window, Depth)>,
    changes: AtomicU64,
    is_over: AtomicBool,
    /// Stops the searches of those who do not lead.
    control: Control,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Marks a result as one: an empty place is no draw of nobody.
const IS_RESULT: u64 = 1 << 40;

impl Board {
    fn new(peers: usize) -> Board {
        Board {
            seats: (0..peers).map(|_| Seat::new()).collect(),
            results: table::room::fresh(2 * RESULTS),
            root: Mutex::new((Window::FULL, Depth(1))),
            changes: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            control: Control::default(),
        }
    }

    fn result_words(&self, name: u64) -> [&AtomicU64; 2] {
        let place = (name >> 20) as usize % RESULTS * 2;
        [&self.results[place], &self.results[place + 1]]
    }

    /// Sends everybody home.
    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.control.stop();
    }
}

/// Ends the search when the leader is done, or panics.
struct Ending<'run>(&'run Board);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// One of several threads that search one root.
struct Peer<'run> {
    board: &'run Board,
    policy: Policy,
    /// How deep a node is at least that others hear of: as the policy says, unless the root itself is not much deeper.
    depth_min: Depth,
    own: usize,
    /// The last change of the root that it has seen.
    seen: u64,
    found: Option<(Score, Vec<Move>)>,
    /// Time in which all was done, and the leader had not said so.
    waited: Duration,
}

impl Peer<'_> {
    fn leads(&self) -> bool {
        self.own == 0
    }

    /// Tells those who are in a node what came of it.
    fn tell(&self, ply: usize, name: u64, found: Option<(Score, &[Move])>) {
        for (other, seat) in self.board.seats.iter().enumerate() {
            if other != self.own && seat.is_in(ply, name) {
                let found = found.map(|(score, line)| (score, line.to_vec()));
                lock(&seat.done).push(Done { ply, name, found });
                seat.has_mail.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl<P> Company<P> for Peer<'_> {
    const SHARES: bool = false;
    const PEERS: bool = true;

    fn depth_min(&self) -> Depth {
        self.depth_min
    }

    fn begin_root(&mut self, window: Window, depth: Depth) {
        // Where so little is searched, its upper half is all that there is to share.
        self.depth_min = Depth(self.policy.depth_min.min(depth.0 / 2).max(1));
        if self.leads() {
            *lock(&self.board.root) = (window, depth);
            self.board.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn next_root(&mut self) -> Option<(Window, Depth)> {
        // The leader has been told, and begins with something else soon.
        let began = Instant::now();
        loop {
            if self.board.is_over.load(Ordering::Relaxed) {
                self.waited += began.elapsed();
                return None;
            }
            let changes = self.board.changes.load(Ordering::Relaxed);
            if changes != self.seen {
                self.waited += began.elapsed();
                self.seen = changes;
                return Some(*lock(&self.board.root));
            }
            thread::yield_now();
        }
    }

    fn enter(&mut self, ply: usize, name: u64) -> u64 {
        let place = &self.board.seats[self.own].path[ply].node;
        let before = place.load(Ordering::Relaxed);
        place.store(name, Ordering::Relaxed);
        before
    }

    fn leave(&mut self, ply: usize, [name, before]: [u64; 2], found: Option<(Score, &[Move])>) {
        self.board.seats[self.own].path[ply].node.store(before, Ordering::Relaxed);
        if found.is_some() {
            self.tell(ply, name, found);
        }
    }

    fn improve_beside(&mut self, ply: usize, name: u64) {
        self.tell(ply, name, None);
    }

    #[inline]
    fn heed(&mut self) -> Result<(), Interrupt> {
        if !self.leads() && self.board.changes.load(Ordering::Relaxed) != self.seen {
            return Err(Interrupt::Stopped);
        }
        let seat = &self.board.seats[self.own];
        if !seat.has_mail.load(Ordering::Relaxed) {
            return Ok(());
        }
        seat.has_mail.store(false, Ordering::Relaxed);
        let done = std::mem::take(&mut *lock(&seat.done));
        // The search may have left what others are done with.
        let still_of_use = done.into_iter().filter(|done| seat.is_in(done.ply, done.name));
        match still_of_use.min_by_key(|done| done.ply) {
            Some(done) => {
                self.found = done.found;
                Err(Interrupt::Cut { ply: done.ply })
            }
            None => Ok(()),
        }
    }

    fn result(&self, name: u64) -> Option<Score> {
        let [whose, result] = self.board.result_words(name);
        let result = result.load(Ordering::Relaxed);
        let whose = whose.load(Ordering::Relaxed) ^ result;
        (whose == name && result & IS_RESULT != 0).then(|| Score::from_value(result as u32 as i32))
    }

    fn put_result(&mut self, name: u64, score: Score) {
        let [whose, result] = self.board.result_words(name);
        let score = u64::from(score.value() as u32) | IS_RESULT;
        result.store(score, Ordering::Relaxed);
        whose.store(name ^ score, Ordering::Relaxed);
    }

    fn found(&mut self) -> Option<(Score, Vec<Move>)> {
        self.found.take()
    }

    fn is_elsewhere(&self, ply: usize, name: u64, father: NodeKind, place: usize) -> bool {
        if !self.policy.leaves_for_later(father, place) {
            return false;
        }
        let is_there = |seat: &Seat| seat.path[ply].played.load(Ordering::Relaxed) == name;
        self.board.seats.iter().enumerate().any(|(other, seat)| other != self.own && is_there(seat))
    }

    fn begin_move(&mut self, ply: usize, name: u64) -> u64 {
        let place = &self.board.seats[self.own].path[ply].played;
        let before = place.load(Ordering::Relaxed);
        place.store(name, Ordering::Relaxed);
        before
    }

    fn shares(&self, _: &Arrival, _: Depth) -> bool {
        false
    }

    fn look(&mut self, _: &mut Desk<'_, P>) -> Result<(), Interrupt> {
        Ok(())
    }

    fn improved(&mut self, _: &mut Desk<'_, P>, _: usize) {}

    fn wait(&mut self, _: &mut Desk<'_, P>, _: usize) -> Result<Option<Box<Assignment<P>>>, Interrupt> {
        Ok(None)
    }

    fn report(&mut self, _: Option<Finding>) {}

    fn close(&mut self, _: &mut Desk<'_, P>, _: usize) {}
}

/// The experience of all but one.
fn others_of(all: &[Arc<Experience>], own: usize) -> Vec<Arc<Experience>> {
    all.iter().enumerate().filter(|&(other, _)| other != own).map(|(_, other)| Arc::clone(other)).collect()
}

/// Searches on so many threads side by side, with one table.
///
/// # Errors
/// When the rules go wrong.
///
/// # Panics
/// When the thread that leads has panicked.
pub(super) fn side_by_side<G: Game, T: Table + Sync>(
    task: &Task<'_, G>,
    threads: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Together, RuleFault> {
    let (board, team, free) = (Board::new(threads.max(1)), Team::default(), Limits::default());
    let experiences: Vec<_> =
        (0..threads.max(1)).map(|_| Arc::new(Experience::new(task.knowledge))).collect();
    let Task { game, root, settings, limits, knowledge, policy, .. } = task;
    let member = |here: &dyn Processor,
                  watch: Watch<'_>,
                  work: &mut dyn FnMut(&mut Member<'_, G, T>) -> _| {
        let began = Instant::now();
        let own = here.id().index();
        let peer = Peer {
            board: &board,
            policy: *policy,
            depth_min: Depth(policy.depth_min),
            own,
            seen: 0,
            found: None,
            waited: Duration::ZERO,
        };
        let searcher = Searcher::new(*game, *root, settings, resources.table, knowledge, watch, peer);
        // Each has estimates of its own, too: there is one at every node, and lines that two cores write travel.
        let searcher = searcher.with_facts(Arc::new(Facts::for_threads()));
        // What is learned by little searches is worth less than the way that it would have to travel.
        let others = others_of(&experiences, own);
        let mut searcher =
            searcher.with_experience(Arc::clone(&experiences[own])).telling(others, Depth(policy.depth_min));
        let report = work(&mut searcher);
        let statistics = searcher.statistics();
        let (all, synchronise) = (began.elapsed(), searcher.company().waited);
        let search = all.saturating_sub(synchronise);
        let measures = Measures { nodes: statistics.nodes, search, synchronise, ..Measures::default() };
        Share { measures, statistics, report }
    };
    let question = game::stopping::current();
    let shares = threads::run_led(
        threads,
        search::STACK_BYTES,
        |here| {
            let _ending = Ending(&board);
            let watch = Watch::new(limits, resources.control, resources.clock).together(Some(&team));
            member(here, watch, &mut |searcher| Some(searcher.lead(settings, limits, progress)))
        },
        &|here: &dyn Processor| {
            let help = || {
                let watch = Watch::new(&free, &board.control, &StoppedClock).together(Some(&team));
                member(here, watch, &mut |searcher| {
                    // A fault of the rules is met by the leader too if it matters.
                    let _ = searcher.follow();
                    None
                })
            };
            match &question {
                Some(question) => game::stopping::unless(Arc::clone(question), help),
                None => help(),
            }
        },
    );
    gather(shares).0.expect("the leader has ended the search")
}

type Member<'run, G, T> = Searcher<'run, G, T, Peer<'run>>;
