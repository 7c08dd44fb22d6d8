//! One processor among others that share a search: it answers requests, gives brothers away, takes in what comes
//! back, and works for others. All that can happen to it is in [`Crew::handle`]. See README.md in this folder.

use std::time::Duration;

use fabric::{Processor, ProcessorId};
use game::{Game, Signature};
use search::company::Company;
use search::desk::{Desk, Place};
use search::line::{Assignment, Finding, NodeKind};
use search::node::Arrival;
use search::watch::Interrupt;
use search::{Depth, Window};
use table::Table;

use super::busy::Busy;
use super::exchange::Exchange;
use super::living::Living;
use super::policy::{Everybody, Policy};
use super::protocol::{Message, Ticket};
use crate::measures::{Activity, Measures};
use crate::timeline::Recorder;

/// Tickets of one processor, before the number of the processor.
const TICKET_BITS: u32 = 40;

/// A processor that was refused work asks again after so long, twice as long after each further refusal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    pub(crate) least: Duration,
    pub(crate) most: Duration,
}

/// Nodes between two looks at the mailbox on a real processor. A look that finds nothing costs some reads of memory,
/// a hundredth of a node at most; one that waits for an answer waits for the next look.
const NODES_BETWEEN_LOOKS: u32 = 1;

/// Events that are handled at one look.
const EVENTS_MAX: usize = 16;

/// How fast the clock of a processor runs, and how often it looks around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// What a node costs on a modern virtual processor.
    pub(crate) cost: Duration,
    /// What it costs on a processor of that machine.
    pub(crate) node_time: Duration,
    /// Nodes between two looks at the mailbox.
    pub(crate) interval: u32,
    pub(crate) pauses: Pause,
}

impl Pace {
    /// Of real processors: nodes take the time that they take.
    pub(crate) const fn real(pauses: Pause) -> Pace {
        Pace { cost: Duration::ZERO, node_time: Duration::ZERO, interval: NODES_BETWEEN_LOOKS, pauses }
    }
}

/// Work that is done for another processor.
pub(super) struct Job {
    pub(super) ticket: Ticket,
    pub(super) master: ProcessorId,
    /// The ply of the father, whose window can be narrowed.
    pub(super) ply: usize,
    /// Whether it is not wanted any more.
    pub(super) is_cut: bool,
    /// Whether its eldest brother was not searched yet, as far as is known here.
    pub(super) is_early: bool,
}

/// Work that another processor does for us.
pub(super) struct Loan {
    pub(super) ticket: Ticket,
    pub(super) to: ProcessorId,
    pub(super) place: Place,
    /// The window of the father that the other knows.
    pub(super) window: Window,
}

/// A request that could not be met when it came.
pub(super) struct Kept {
    pub(super) origin: ProcessorId,
    /// How deep a node is wanted; less every time that there is none.
    pub(super) depth: u8,
    /// When it is refused; never where there is no other processor to ask.
    pub(super) until: Option<Duration>,
}

/// Which work is taken when it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Appetite {
    /// None: there is something to do.
    Nothing,
    /// Any.
    Anything,
    /// Work from below this ply.
    Below(usize),
}

/// A processor that shares a search.
pub(crate) struct Crew<'run, G: Game> {
    pub(super) here: &'run dyn Processor,
    pub(super) game: &'run G,
    pub(super) policy: Policy,
    pub(super) busy: &'run Busy,
    pub(super) table: &'run dyn Table,
    /// What a node costs on a virtual processor.
    pub(super) cost: Duration,
    pub(super) node_time: Duration,
    /// Nodes between two looks at the mailbox.
    pub(super) interval: u32,
    pub(super) countdown: u32,
    pub(super) jobs: Vec<Job>,
    pub(super) loans: Vec<Loan>,
    pub(super) tickets: u64,
    /// Requests that are met as soon as there is something to give.
    pub(super) kept: Vec<Kept>,
    pub(super) appetite: Appetite,
    pub(super) arrived: Option<(Job, Box<Assignment<G::Position>>)>,
    /// Whether an answer to a request is on its way.
    pub(super) has_asked: bool,
    pub(super) retry_at: Duration,
    pub(super) pause: Duration,
    /// How deep a node should be at least to be worth asking for; less after each refusal.
    pub(super) wanted: u8,
    pub(super) pauses: Pause,
    /// Where the search has to go on, as far as the messages handled so far say.
    pub(super) cut: Option<usize>,
    pub(super) is_over: bool,
    pub(super) living: Living,
    pub(super) leader: ProcessorId,
    /// Whether this processor leads.
    pub(super) leads: bool,
    /// The last one that was complete.
    pub(super) last_iteration: Depth,
    /// Whether there was work since the last iteration began.
    pub(super) had_work: bool,
    pub(super) exchange: Exchange,
    pub(super) random: fastrand::Rng,
    pub(super) neighbours: Vec<ProcessorId>,
    pub(super) measures: Measures,
    pub(super) activity: Activity,
    pub(super) since: Duration,
    /// Where activities are written down, if they are wanted.
    recorder: Option<Recorder<'run>>,
}

impl<'run, G: Game> Crew<'run, G> {
    pub(crate) fn new(
        here: &'run dyn Processor,
        game: &'run G,
        policy: Policy,
        busy: &'run Busy,
        table: &'run dyn Table,
        pace: Pace,
        seed: u64,
    ) -> Crew<'run, G> {
        Crew {
            here,
            game,
            policy,
            busy,
            table,
            cost: pace.cost,
            node_time: pace.node_time,
            interval: pace.interval,
            countdown: pace.interval,
            jobs: Vec::new(),
            loans: Vec::new(),
            tickets: u64::from(here.id().0) << TICKET_BITS,
            kept: Vec::new(),
            appetite: Appetite::Nothing,
            arrived: None,
            has_asked: false,
            retry_at: Duration::ZERO,
            pause: pace.pauses.least,
            wanted: 0,
            pauses: pace.pauses,
            cut: None,
            is_over: false,
            living: Living::new(here.processors()),
            leader: ProcessorId(0),
            leads: here.id() == ProcessorId(0),
            last_iteration: Depth(0),
            had_work: false,
            exchange: Exchange::default(),
            random: fastrand::Rng::with_seed(
                seed ^ u64::from(here.id().0).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            ),
            neighbours: here.neighbours(),
            measures: Measures::default(),
            activity: Activity::Searching,
            since: here.now(),
            recorder: None,
        }
    }

    /// The same, with everything written down that it does.
    pub(crate) fn recorded(self, recorder: Option<Recorder<'run>>) -> Crew<'run, G> {
        if let Some(recorder) = recorder {
            recorder.turn(self.since, self.activity);
        }
        Crew { recorder, ..self }
    }

    /// What this processor did: it is done.
    pub(crate) fn measures(&mut self) -> Measures {
        self.turn_to(self.activity);
        if let Some(recorder) = &self.recorder {
            recorder.end(self.since);
        }
        let nodes = u32::try_from(self.measures.nodes).unwrap_or(u32::MAX);
        self.measures.expansion = self.node_time * nodes;
        self.measures.ask_of(self.table);
        self.measures.clone()
    }

    /// Tells all that the search is over.
    pub(crate) fn end(&mut self) {
        for other in self.others() {
            self.send(other, &Message::End);
        }
    }

    /// Tells all that an iteration is complete.
    pub(crate) fn tell_iteration(here: &dyn Processor, depth: Depth) {
        let bytes = Message::Iteration { depth }.to_bytes();
        for other in (0..here.processors() as u32).map(ProcessorId).filter(|&other| other != here.id()) {
            here.send(other, bytes.clone());
        }
    }

    fn others(&self) -> Vec<ProcessorId> {
        self.living.ids().filter(|&other| other != self.here.id()).collect()
    }

    pub(super) fn send(&mut self, to: ProcessorId, message: &Message) {
        let bytes = message.to_bytes();
        let counts = &mut self.measures.messages[message.kind()];
        *counts = (counts.0 + 1, counts.1 + bytes.len() as u64);
        self.here.send(to, bytes);
    }

    /// From now on the processor does something else.
    pub(super) fn turn_to(&mut self, activity: Activity) {
        let now = self.here.now();
        self.measures.spend(self.activity, now.saturating_sub(self.since));
        (self.activity, self.since) = (activity, now);
        if let Some(recorder) = &self.recorder {
            recorder.turn(now, activity);
        }
    }

    /// Handles what has arrived, so much at most: where many ask one processor, more arrives while it answers, and it
    /// would never come to its own work.
    pub(super) fn serve(&mut self, desk: &mut Desk<'_, G::Position>) {
        for _ in 0..EVENTS_MAX {
            let Some(event) = self.here.poll() else { return };
            self.handle(event, desk);
        }
    }

    /// Why the search has to leave where it is, if it has to.
    fn interruption(&mut self) -> Result<(), Interrupt> {
        match self.cut.take() {
            Some(ply) => Err(Interrupt::Cut { ply }),
            None if self.is_over || self.must_lead() => Err(Interrupt::Stopped),
            None => Ok(()),
        }
    }

    /// Whether the work of this processor begins with this node, and has to wait for its eldest brother.
    fn must_hold(&self, ply: usize) -> bool {
        self.jobs.last().is_some_and(|job| job.is_early && job.ply + 1 == ply)
    }

    /// Waits until the eldest brother of this processor's work has been searched. That one never waits for us: its
    /// own brothers are not early.
    fn hold_at(&mut self, desk: &mut Desk<'_, G::Position>, ply: usize) -> Result<(), Interrupt> {
        loop {
            self.serve(desk);
            self.interruption()?;
            if !self.must_hold(ply) {
                return Ok(());
            }
            self.here.wait(None);
        }
    }

    /// Waits for something to happen at a node whose moves are all begun; work from below it may arrive.
    fn wait_at(
        &mut self,
        desk: &mut Desk<'_, G::Position>,
        ply: usize,
    ) -> Result<Option<Box<Assignment<G::Position>>>, Interrupt> {
        let away = desk.away(ply);
        loop {
            self.serve(desk);
            self.interruption()?;
            if let Some(work) = self.begin() {
                return Ok(Some(work));
            }
            if desk.away(ply) != away {
                return Ok(None);
            }
            if self.policy.helps && !self.has_asked && self.here.now() >= self.retry_at {
                let slaves: Vec<ProcessorId> =
                    self.loans.iter().filter(|loan| loan.place.ply == ply).map(|loan| loan.to).collect();
                if let Some(slave) = self.random.choice(&slaves) {
                    self.ask_for_work(*slave, 0);
                }
            }
            if self.policy.helps {
                self.sleep();
            } else {
                self.here.wait(None);
            }
        }
    }
}

impl<G: Game> Company<G::Position> for Crew<'_, G> {
    const SHARES: bool = true;

    fn shares(&self, arrival: &Arrival, depth: Depth) -> bool {
        let is_of_use =
            self.living.processors() > 1 || self.recorder.is_some_and(|recorder| recorder.draws());
        is_of_use && self.policy.shares(arrival) && depth.0 >= self.policy.depth_min
    }

    fn is_busy(&self, position: Signature, father: NodeKind, place: usize) -> bool {
        self.policy.leaves_for_later(father, place) && self.busy.contains(position)
    }

    fn mark(&mut self, position: Signature, begins: bool) {
        match (self.policy.everybody, begins) {
            (Everybody::Defers, true) => self.busy.begin(position),
            (Everybody::Defers, false) => self.busy.end(position),
            (Everybody::No | Everybody::Meets, _) => {}
        }
    }

    fn tests_first(&self) -> bool {
        self.policy.tests_first
    }

    fn look(&mut self, desk: &mut Desk<'_, G::Position>) -> Result<(), Interrupt> {
        self.measures.nodes += 1;
        if !self.cost.is_zero() {
            self.here.charge(self.cost);
        }
        self.countdown -= 1;
        if self.countdown > 0 {
            return Ok(());
        }
        self.countdown = self.interval;
        self.serve(desk);
        self.serve_kept(desk);
        self.interruption()
    }

    fn eldest_is_done(&mut self, desk: &mut Desk<'_, G::Position>, ply: usize) {
        if self.policy.stalls {
            self.release(desk, ply);
        }
    }

    fn hold(&mut self, desk: &mut Desk<'_, G::Position>, ply: usize) -> Result<bool, Interrupt> {
        if !self.policy.stalls || !self.must_hold(ply) {
            return Ok(false);
        }
        self.turn_to(Activity::Synchronising);
        self.refuse_kept();
        let result = self.hold_at(desk, ply);
        self.turn_to(Activity::Searching);
        result.map(|()| true)
    }

    fn improved(&mut self, desk: &mut Desk<'_, G::Position>, _: usize) {
        self.tell_windows(desk);
    }

    fn wait(
        &mut self,
        desk: &mut Desk<'_, G::Position>,
        ply: usize,
    ) -> Result<Option<Box<Assignment<G::Position>>>, Interrupt> {
        self.appetite = if self.policy.helps { Appetite::Below(ply) } else { Appetite::Nothing };
        self.turn_to(Activity::WaitingForSlaves);
        self.refuse_kept();
        let result = self.wait_at(desk, ply);
        self.appetite = Appetite::Nothing;
        // What arrived in the very moment in which the search was cut is for another processor to do.
        if let Some((job, _)) = self.arrived.take() {
            self.send(job.master, &Message::Declined { ticket: job.ticket });
        }
        self.turn_to(Activity::Searching);
        result
    }

    fn report(&mut self, finding: Option<Finding>) {
        let Some(job) = self.jobs.pop() else { return };
        if job.is_cut || !self.living.has(job.master) {
            return;
        }
        let message = match finding {
            Some(finding) => {
                // A processor that helped while waiting has something to do.
                let asks = self.policy.return_asks && self.jobs.is_empty() && self.leader != self.here.id();
                self.has_asked |= asks;
                let asks = asks.then_some(self.wanted);
                Message::Return { ticket: job.ticket, finding, asks }
            }
            None => Message::Declined { ticket: job.ticket },
        };
        self.send(job.master, &message);
    }

    fn close(&mut self, desk: &mut Desk<'_, G::Position>, ply: usize) {
        if let Some(recorder) = &self.recorder {
            recorder.leave(self.here.now(), desk, ply);
        }
        while let Some(index) = self.loans.iter().position(|loan| loan.place.ply >= ply) {
            let Loan { ticket, to, .. } = self.loans.swap_remove(index);
            if self.policy.kills {
                self.send(to, &Message::Cutoff { ticket });
            }
        }
    }
}
