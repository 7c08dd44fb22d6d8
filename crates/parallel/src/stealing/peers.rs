//! Threads that search one root side by side: none gives work away, none waits, and there are no messages but
//! "this is known by now". What the searches do is in `search::peers`; this is what they share. See README.md in this
//! folder.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use fabric::{Processor, threads};
use game::{Game, Move, RuleFault, Signature};
use search::company::Company;
use search::desk::Desk;
use search::experience::{Experience, Lessons};
use search::line::{Assignment, Finding, NodeKind};
use search::node::Arrival;
use search::watch::{Interrupt, Watch};
use search::{
    Clock, Control, Depth, Kept, Limits, Progress, Report, Resources, Score, Searcher, StoppedClock, Team,
    Window,
};
use table::Table;

use super::board::{Board, News};
use super::policy::Policy;
use super::run::{Gathered, Share, Task, Together};
use crate::again::{ATTEMPTS, Past};
use crate::measures::Measures;

/// What the peers of a process work with.
pub(crate) struct Meeting<'run> {
    board: Board<'run>,
    /// Stops the searches of this process that do not lead.
    control: Control,
    /// What the peers of this process have learned; the first of them is this one among all.
    lessons: Vec<Lessons>,
    first: usize,
}

impl<'run> Meeting<'run> {
    /// The threads of this process among all that meet at the board, as many as have learned something; the first of
    /// them has this number.
    pub(crate) fn new(board: Board<'run>, lessons: Vec<Lessons>, first: usize) -> Meeting<'run> {
        Meeting { board, control: Control::default(), lessons, first }
    }

    /// What a peer has learned, and the experience of the others of this process.
    fn lessons_of(&self, own: usize) -> (Lessons, Vec<Arc<Experience>>) {
        let own = own - self.first;
        let others = self.lessons.iter().enumerate().filter(|&(other, _)| other != own);
        (self.lessons[own].clone(), others.map(|(_, other)| Arc::clone(&other.experience)).collect())
    }
}

/// Ends the search when the leader is done, or panics: then it is begun again.
struct Ending<'run>(&'run Meeting<'run>);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.board.end();
        self.0.control.stop();
    }
}

/// One of several threads that search one root.
struct Peer<'run> {
    board: &'run Board<'run>,
    policy: Policy,
    /// How deep a node is at least that others hear of: as the policy says, unless the root itself is not much deeper.
    depth_min: Depth,
    own: usize,
    /// The last change of the root that it has seen.
    seen: u64,
    found: Option<(Score, Vec<Signature>)>,
    /// The ply of the lowest node that others hear of.
    ply: usize,
    /// Time in which all was done, and the leader had not said so.
    waited: Duration,
    counts: Counts,
}

/// What a peer has had of the others.
#[derive(Default)]
struct Counts {
    left_for_later: Cell<u64>,
    known: Cell<u64>,
    ended: Cell<u64>,
}

/// Counts one more.
fn count(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}

impl Peer<'_> {
    fn leads(&self) -> bool {
        self.own == 0
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
            self.board.put_root(window, depth);
        }
    }

    fn next_root(&mut self) -> Option<(Window, Depth)> {
        // The leader has been told, and begins with something else soon.
        let began = Instant::now();
        loop {
            if self.board.is_over() {
                self.waited += began.elapsed();
                return None;
            }
            let changes = self.board.changes();
            if changes != self.seen {
                self.waited += began.elapsed();
                self.seen = changes;
                return Some(self.board.root(changes));
            }
            thread::yield_now();
        }
    }

    fn enter(&mut self, ply: usize, name: u64) -> u64 {
        self.ply = ply;
        self.board.enter(self.own, ply, name)
    }

    fn leave(&mut self, ply: usize, [name, before]: [u64; 2], found: Option<(Score, &[Move])>) {
        self.board.enter(self.own, ply, before);
        if found.is_some() {
            self.board.tell(self.own, ply, name, found);
        }
    }

    fn improve_beside(&mut self, ply: usize, name: u64) {
        self.board.tell(self.own, ply, name, None);
    }

    #[inline]
    fn heed(&mut self) -> Result<(), Interrupt> {
        if !self.leads() && self.board.changes() != self.seen {
            return Err(Interrupt::Stopped);
        }
        if self.board.has_mail(self.own)
            && let Some((ply, news)) = self.board.news(self.own, self.ply)
        {
            count(&self.counts.ended);
            self.found = match news {
                News::Done(score, line) => Some((score, line)),
                News::Improved => None,
            };
            return Err(Interrupt::Cut { ply });
        }
        Ok(())
    }

    fn result(&self, name: u64) -> Option<Score> {
        let known = self.board.result(name);
        if known.is_some() {
            count(&self.counts.known);
        }
        known
    }

    fn put_result(&mut self, name: u64, score: Score) {
        self.board.put_result(name, score);
    }

    fn found(&mut self) -> Option<(Score, Vec<Signature>)> {
        self.found.take()
    }

    fn is_elsewhere(&self, ply: usize, name: u64, father: NodeKind, place: usize) -> bool {
        let is_left =
            self.policy.leaves_for_later(father, place) && self.board.is_elsewhere(self.own, ply, name);
        if is_left {
            count(&self.counts.left_for_later);
        }
        is_left
    }

    fn begin_move(&mut self, ply: usize, name: u64) -> u64 {
        self.board.begin_move(self.own, ply, name)
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

type Member<'run, G, T> = Searcher<'run, G, T, Peer<'run>>;
/// What a peer does with its searcher; who leads has a report.
type Work<'work, G, T> = dyn FnMut(&mut Member<'_, G, T>) -> Option<Result<Report, RuleFault>> + 'work;

/// The program of one peer: what it does with its searcher.
fn take_part<G: Game, T: Table>(
    here: &dyn Processor,
    task: &Task<'_, G>,
    table: &T,
    meeting: &Meeting<'_>,
    watch: Watch<'_>,
    work: &mut Work<'_, G, T>,
) -> Share {
    let began = Instant::now();
    let Task { game, root, settings, knowledge, policy, .. } = task;
    let own = here.id().index();
    let peer = Peer {
        board: &meeting.board,
        policy: *policy,
        depth_min: Depth(policy.depth_min),
        own,
        seen: 0,
        found: None,
        ply: 0,
        waited: Duration::ZERO,
        counts: Counts::default(),
    };
    let watch = watch.together(Some(Team::new(meeting.board.nodes())));
    // Each has estimates of its own, too: there is one at every node, and lines that two cores write travel.
    let (lessons, others) = meeting.lessons_of(own);
    let searcher = Searcher::keeping(*game, *root, settings, table, knowledge, watch, peer, lessons);
    // What is learned by little searches is worth less than the way that it would have to travel.
    let mut searcher = searcher.telling(others, Depth(policy.depth_min));
    let report = work(&mut searcher);
    let statistics = searcher.statistics();
    let (all, synchronise) = (began.elapsed(), searcher.company().waited);
    let Counts { left_for_later, known, ended } = &searcher.company().counts;
    let measures = Measures {
        nodes: statistics.nodes,
        search: all.saturating_sub(synchronise),
        synchronise,
        left_for_later: left_for_later.get(),
        known_by_peers: known.get(),
        ended_by_peers: ended.get(),
        ..Measures::default()
    };
    Share { measures, statistics, report }
}

/// Searches the root, and sends all home.
pub(crate) fn lead<G: Game, T: Table>(
    here: &dyn Processor,
    task: &Task<'_, G>,
    table: &T,
    meeting: &Meeting<'_>,
    (control, clock): (&Control, &dyn Clock),
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Share {
    let _ending = Ending(meeting);
    let watch = Watch::new(&task.limits, control, clock);
    take_part(here, task, table, meeting, watch, &mut |searcher| {
        Some(searcher.lead(&task.settings, &task.limits, progress))
    })
}

/// Searches what the leader searches until that is over.
pub(crate) fn follow<G: Game, T: Table>(
    here: &dyn Processor,
    task: &Task<'_, G>,
    table: &T,
    meeting: &Meeting<'_>,
) -> Share {
    let free = Limits::default();
    let watch = Watch::new(&free, &meeting.control, &StoppedClock);
    take_part(here, task, table, meeting, watch, &mut |searcher| {
        // A fault of the rules is met by the leader too if it matters.
        let _ = searcher.follow();
        None
    })
}

/// Searches on so many threads side by side, with one table and what earlier searches of the same game have learned.
///
/// # Errors
/// When the rules go wrong.
///
/// # Panics
/// When the thread that leads has panicked again and again.
pub(crate) fn side_by_side<G: Game, T: Table + Sync>(
    task: &Task<'_, G>,
    threads: usize,
    resources: Resources<'_, T>,
    kept: &Kept,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Together, RuleFault> {
    let (threads, clock) = (threads.max(1), resources.clock);
    let mut past = Past::new(clock.now());
    for _ in 0..ATTEMPTS {
        let (settings, limits) = past.rest(&task.settings, &task.limits, clock.now());
        let rest = Task { settings, limits, ..*task };
        let mut told = None;
        let shares = attempt(&rest, threads, resources, kept, past.nodes(), &mut |news| {
            told = Some(news.depth);
            progress(news);
        });
        told.into_iter().for_each(|depth| past.tell(depth));
        let gathered = Gathered::new(shares);
        let (statistics, lost) = (gathered.statistics, gathered.lost);
        match gathered.together(&past, clock.now()) {
            Some(found) => return found,
            None => past.fail(statistics, lost),
        }
    }
    panic!("the thread that leads the search has panicked {ATTEMPTS} times")
}

/// Begins the search, where so many nodes were searched before.
fn attempt<G: Game, T: Table + Sync>(
    task: &Task<'_, G>,
    threads: usize,
    resources: Resources<'_, T>,
    kept: &Kept,
    nodes: u64,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Vec<Option<Share>> {
    let words = table::room::fresh(Board::words(threads));
    let lessons = kept.of_threads(task.knowledge, &task.settings.heuristics, threads);
    let meeting = Meeting::new(Board::new(&words, threads), lessons, 0);
    meeting.board.nodes().store(nodes, Ordering::Relaxed);
    let question = game::stopping::current();
    threads::run_led(
        threads,
        search::STACK_BYTES,
        |here| lead(here, task, resources.table, &meeting, (resources.control, resources.clock), progress),
        &|here: &dyn Processor| {
            let help = || follow(here, task, resources.table, &meeting);
            match &question {
                Some(question) => game::stopping::unless(Arc::clone(question), help),
                None => help(),
            }
        },
    )
}
