//! One processor of a search that is directed by a leader: it makes the searches that it is given. All that can
//! happen to it is in [`Clerk::handle`]. See README.md in this folder.

use std::time::Duration;

use fabric::{Event, Processor, ProcessorId};
use game::{Game, Move, Signature};
use search::company::Company;
use search::desk::Desk;
use search::line::{Assignment, Finding};
use search::node::Arrival;
use search::watch::Interrupt;
use search::{Depth, Score};
use table::{Entry, Table};

use super::job::{Answer, Job};
use super::lead::Lead;
use crate::measures::{Activity, Measures};
use crate::meter::Meter;
use crate::stealing::{Message, Pace, Ticket};

/// Tickets of one processor, before the number of the processor.
const TICKET_BITS: u32 = 40;

/// How long a real leader that waits for others sleeps between two looks at its limits.
const LOOK_EVERY: Duration = Duration::from_millis(2);

pub(super) struct Clerk<'run, G: Game> {
    pub(super) here: &'run dyn Processor,
    table: &'run dyn Table,
    pace: Pace,
    /// Nodes to the next look at the mailbox.
    countdown: u32,
    pub(super) meter: Meter<'run>,
    pub(super) alive: Vec<bool>,
    leader: ProcessorId,
    /// Whether this processor leads.
    leads: bool,
    pub(super) last_iteration: Depth,
    is_over: bool,
    /// Searches to be made.
    queue: Vec<(Ticket, Job)>,
    /// The one that is being made and how deep it is, whether it is not wanted any more, and whether another one comes
    /// first.
    current: Option<(Ticket, Depth)>,
    is_dropped: bool,
    is_preempted: bool,
    /// The best move of the last search of some moves of the root: it is tried first in the next one.
    pub(super) favourite: Option<Move>,
    /// What the leader has besides.
    pub(super) lead: Option<Box<Lead<'run, G>>>,
}

impl<'run, G: Game> Clerk<'run, G> {
    pub(super) fn new(
        here: &'run dyn Processor,
        table: &'run dyn Table,
        pace: Pace,
        meter: Meter<'run>,
    ) -> Clerk<'run, G> {
        Clerk {
            here,
            table,
            pace,
            countdown: pace.interval,
            meter,
            alive: vec![true; here.processors()],
            leader: ProcessorId(0),
            leads: here.id() == ProcessorId(0),
            last_iteration: Depth(0),
            is_over: false,
            queue: Vec::new(),
            current: None,
            is_dropped: false,
            is_preempted: false,
            favourite: None,
            lead: None,
        }
    }

    /// All others that are there.
    pub(super) fn others(&self) -> Vec<ProcessorId> {
        let all = (0..self.alive.len() as u32).map(ProcessorId);
        all.filter(|&other| other != self.here.id() && self.alive[other.index()]).collect()
    }

    pub(super) fn tell_others(&mut self, message: &Message) {
        self.others().into_iter().for_each(|other| self.meter.send(other, message));
    }

    /// The first ticket of a leader: no two processors give the same.
    pub(super) fn first_ticket(&self) -> u64 {
        u64::from(self.here.id().0) << TICKET_BITS
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the leader is gone and this processor is next.
    pub(super) fn must_lead(&self) -> bool {
        self.leader == self.here.id() && !self.leads
    }

    pub(super) fn becomes_leader(&mut self) {
        (self.leads, self.is_dropped, self.is_preempted) = (true, false, false);
        self.queue.clear();
    }

    /// Puts a search into this processor's queue.
    pub(super) fn keep(&mut self, ticket: Ticket, job: Job) {
        self.queue.push((ticket, job));
    }

    /// A search is of no use any more.
    pub(super) fn forget(&mut self, ticket: Ticket) {
        self.queue.retain(|(other, _)| *other != ticket);
        self.is_dropped |= self.current.is_some_and(|(current, _)| current == ticket);
    }

    /// The next search to make: the least deep one, of those the first.
    pub(super) fn take_job(&mut self) -> Option<(Ticket, Job)> {
        let (index, _) = self.queue.iter().enumerate().min_by_key(|(_, (_, job))| job.depth)?;
        let (ticket, job) = self.queue.remove(index);
        (self.current, self.is_dropped, self.is_preempted) = (Some((ticket, job.depth)), false, false);
        self.measures().jobs += 1;
        self.meter.turn_to(Activity::Searching);
        Some((ticket, job))
    }

    fn measures(&mut self) -> &mut Measures {
        &mut self.meter.measures
    }

    /// The search of this processor is over; true if it was left because it is not wanted.
    pub(super) fn put_down(&mut self) -> bool {
        self.current = None;
        std::mem::take(&mut self.is_dropped)
    }

    /// Tells the leader what came of a search.
    pub(super) fn give_back(
        &mut self,
        ticket: Ticket,
        job: Job,
        result: Result<(Score, Vec<Move>), Interrupt>,
    ) {
        let master = ProcessorId((ticket.0 >> TICKET_BITS) as u32);
        let was_left = self.put_down();
        let message = match result {
            Ok((score, variation)) => {
                let finding = Finding { score, only_tested: false, skipped: false, variation };
                Message::Return { ticket, finding, asks: None }
            }
            Err(Interrupt::Fault(_)) => Message::Declined { ticket },
            Err(Interrupt::Stopped | Interrupt::Cut { .. }) => {
                if self.is_preempted && !was_left {
                    self.queue.push((ticket, job));
                }
                return;
            }
        };
        if !was_left && self.alive[master.index()] {
            self.meter.send(master, &message);
        }
    }

    /// Waits for something to happen.
    pub(super) fn sleep(&mut self) {
        self.meter.turn_to(if self.leads { Activity::WaitingForSlaves } else { Activity::NoWork });
        let is_real = self.pace.cost.is_zero();
        self.here.wait((self.leads && is_real).then(|| self.here.now() + LOOK_EVERY));
        self.serve();
    }

    /// Handles all that has arrived.
    pub(super) fn serve(&mut self) {
        while let Some(event) = self.here.poll() {
            self.handle(event);
        }
    }

    /// All that can happen.
    fn handle(&mut self, event: Event) {
        let bytes = match event {
            Event::Died(gone) => return self.on_death(gone),
            Event::Message { bytes, .. } => bytes,
        };
        let Some(message) = Message::from_bytes(&bytes) else { return };
        match message {
            Message::Work { ticket, bytes, .. } => {
                if let Some(job) = Job::from_bytes(&bytes) {
                    // What is deeper was begun ahead of time.
                    self.is_preempted |= self.current.is_some_and(|(_, depth)| job.depth < depth);
                    self.keep(ticket, job);
                }
            }
            Message::Cutoff { ticket } => self.forget(ticket),
            Message::Return { ticket, finding, .. } => {
                self.absorb(ticket, Answer { score: finding.score, line: finding.variation });
            }
            Message::Declined { ticket } => self.take_over(ticket),
            Message::Iteration { depth } => self.last_iteration = depth,
            Message::Entries(entries) => {
                for [signature, content, marks] in entries {
                    self.table.hear(Signature(signature), Entry::from_words([content, marks]));
                }
            }
            Message::End => self.is_over = true,
            // What those say who share out brothers, and what tables have seen to.
            Message::Request { .. }
            | Message::Refusal
            | Message::Narrowing { .. }
            | Message::ChangesBelow { .. }
            | Message::ChangesOfAll { .. }
            | Message::Release { .. }
            | Message::Questions(_)
            | Message::Answers(_) => {}
        }
    }

    fn on_death(&mut self, gone: ProcessorId) {
        self.alive[gone.index()] = false;
        let is_from_gone = |ticket: Ticket| ticket.0 >> TICKET_BITS == u64::from(gone.0);
        self.queue.retain(|(ticket, _)| !is_from_gone(*ticket));
        self.is_dropped |= self.current.is_some_and(|(ticket, _)| is_from_gone(ticket));
        if gone == self.leader {
            let next = self.alive.iter().position(|alive| *alive).unwrap_or(0);
            self.leader = ProcessorId(next as u32);
        }
        self.without(gone);
    }

    /// Why the search has to leave where it is, if it has to.
    fn interruption(&self) -> Result<(), Interrupt> {
        let is_known = self.lead.as_ref().is_some_and(|lead| lead.is_done());
        if self.is_dropped || self.is_preempted || self.is_over || self.must_lead() || is_known {
            return Err(Interrupt::Stopped);
        }
        Ok(())
    }

    /// What this processor did.
    pub(super) fn finish(&mut self) -> Measures {
        self.meter.finish(self.pace.node_time, self.table)
    }
}

impl<G: Game> Company<G::Position> for Clerk<'_, G> {
    const SHARES: bool = true;

    fn shares(&self, _: &Arrival, _: Depth) -> bool {
        false
    }

    fn look(&mut self, _: &mut Desk<'_, G::Position>) -> Result<(), Interrupt> {
        self.measures().nodes += 1;
        if !self.pace.cost.is_zero() {
            self.here.charge(self.pace.cost);
        }
        self.countdown -= 1;
        if self.countdown > 0 {
            return Ok(());
        }
        self.countdown = self.pace.interval;
        self.serve();
        self.interruption()
    }

    fn improved(&mut self, _: &mut Desk<'_, G::Position>, _: usize) {}

    fn wait(
        &mut self,
        _: &mut Desk<'_, G::Position>,
        _: usize,
    ) -> Result<Option<Box<Assignment<G::Position>>>, Interrupt> {
        Ok(None)
    }

    fn report(&mut self, _: Option<Finding>) {}

    fn close(&mut self, _: &mut Desk<'_, G::Position>, _: usize) {}
}
