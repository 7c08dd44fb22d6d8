//! What one processor does. All that can happen to it is in [`Worker::handle`].

use std::time::Duration;

use fabric::{Event, Processor, ProcessorId};

use super::problem::Problem;
use super::protocol::{Message, Ticket};

/// Pauses between two requests for work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// What a piece costs on a virtual processor.
    pub(super) cost: Duration,
    /// Pieces between two looks at the mailbox.
    pub(super) interval: u32,
    /// Pauses between two requests, at least and at most.
    pub(super) pauses: (Duration, Duration),
}

/// A piece that another processor works on.
struct Gift<P> {
    ticket: Ticket,
    to: ProcessorId,
    piece: P,
}

/// A piece that this processor answers for.
struct Job<P: Problem> {
    /// Which processor it is for; the leader's is for none.
    origin: Option<(ProcessorId, Ticket)>,
    /// What is still to be done, the oldest first.
    open: Vec<P::Piece>,
    gifts: Vec<Gift<P::Piece>>,
    outcome: P::Outcome,
}

/// What one processor has to tell at the end.
pub(super) struct Share<O> {
    /// What the whole problem comes to, if it led.
    pub(super) outcome: Option<O>,
    /// Pieces that it took apart.
    pub(super) pieces: u64,
}

pub(super) struct Worker<'run, P: Problem> {
    here: &'run dyn Processor,
    problem: &'run P,
    pace: Pace,
    jobs: Vec<Job<P>>,
    /// The outcome that is worth the most, of all that are known here.
    best: P::Outcome,
    is_alive: Vec<bool>,
    tickets: Ticket,
    /// Which processor was asked for work.
    asked: Option<ProcessorId>,
    asks_again: Duration,
    pause: Duration,
    random: fastrand::Rng,
    children: Vec<P::Piece>,
    pieces: u64,
    is_over: bool,
    result: Option<P::Outcome>,
}

impl<'run, P: Problem> Worker<'run, P> {
    pub(super) fn new(here: &'run dyn Processor, problem: &'run P, pace: Pace) -> Self {
        Worker {
            here,
            problem,
            pace,
            jobs: Vec::new(),
            best: problem.nothing(),
            is_alive: vec![true; here.processors()],
            tickets: 0,
            asked: None,
            asks_again: Duration::ZERO,
            pause: pace.pauses.0,
            random: fastrand::Rng::with_seed(u64::from(here.id().0)),
            children: Vec::new(),
            pieces: 0,
            is_over: false,
            result: None,
        }
    }

    pub(super) fn run(mut self) -> Share<P::Outcome> {
        self.lead_if_first();
        while !self.is_over {
            while !self.is_over
                && let Some(event) = self.here.poll()
            {
                self.handle(&event);
            }
            let worked = !self.is_over && (0..self.pace.interval).all(|_| self.work());
            if !self.is_over && !worked && !self.hand_in() {
                self.rest();
            }
        }
        Share { outcome: self.result, pieces: self.pieces }
    }

    fn say(&self, to: ProcessorId, message: Message<'_>) {
        self.here.send(to, message.to_bytes());
    }

    fn others(&self) -> impl Iterator<Item = ProcessorId> {
        let alive = self.is_alive.iter().enumerate().filter(|(_, is_alive)| **is_alive);
        alive.map(|(number, _)| ProcessorId(number as u32)).filter(|&other| other != self.here.id())
    }

    /// The living processor with the least number answers for the whole problem.
    fn lead_if_first(&mut self) {
        let first = self.is_alive.iter().position(|is_alive| *is_alive);
        let leads = self.jobs.iter().any(|job| job.origin.is_none());
        if first == Some(self.here.id().index()) && !leads {
            self.accept(None, self.problem.root());
        }
    }

    fn accept(&mut self, origin: Option<(ProcessorId, Ticket)>, piece: P::Piece) {
        let outcome = self.problem.nothing();
        self.jobs.push(Job { origin, open: vec![piece], gifts: Vec::new(), outcome });
    }

    /// All that can happen.
    fn handle(&mut self, event: &Event) {
        let (from, bytes) = match event {
            Event::Message { from, bytes } => (*from, bytes),
            Event::Died(id) => return self.mourn(*id),
        };
        // A processor that shares out a problem sends nothing else; what cannot be read was not for us.
        let Some(message) = Message::from_bytes(bytes) else { return };
        match message {
            Message::Request => self.give(from),
            Message::Nothing => self.is_refused(),
            Message::Work { ticket, piece } => {
                (self.asked, self.pause) = (None, self.pace.pauses.0);
                if let Some(piece) = self.problem.read_piece(piece) {
                    self.accept(Some((from, ticket)), piece);
                }
            }
            Message::Return { ticket, outcome } => {
                if let Some(outcome) = self.problem.read_outcome(outcome) {
                    self.take_back(ticket, outcome);
                }
            }
            Message::Cancel { ticket } => self.drop_jobs(|origin| origin == (from, ticket)),
            Message::Best { outcome } => {
                if let Some(outcome) = self.problem.read_outcome(outcome) {
                    self.note(&outcome);
                }
            }
            Message::End => self.is_over = true,
        }
    }

    fn is_refused(&mut self) {
        self.asked = None;
        self.asks_again = self.here.now() + self.pause;
        self.pause = (self.pause * 2).min(self.pace.pauses.1);
    }

    /// Gives the oldest piece to a processor that asks.
    fn give(&mut self, to: ProcessorId) {
        // One piece is no more than its owner needs.
        let waiting = self.jobs.iter().map(|job| job.open.len()).sum::<usize>();
        let job = self.jobs.iter_mut().find(|job| !job.open.is_empty());
        let Some(job) = job.filter(|_| waiting > 1 && self.is_alive[to.index()]) else {
            return self.say(to, Message::Nothing);
        };
        let piece = job.open.remove(0);
        self.tickets += 1;
        let mut bytes = Vec::new();
        self.problem.write_piece(&piece, &mut bytes);
        job.gifts.push(Gift { ticket: self.tickets, to, piece });
        self.say(to, Message::Work { ticket: self.tickets, piece: &bytes });
    }

    /// Another processor has done a piece.
    fn take_back(&mut self, ticket: Ticket, outcome: P::Outcome) {
        self.note(&outcome);
        for job in &mut self.jobs {
            let known = job.gifts.len();
            job.gifts.retain(|gift| gift.ticket != ticket);
            if job.gifts.len() < known {
                job.outcome = self.problem.combine(job.outcome.clone(), outcome);
                return;
            }
        }
    }

    /// Keeps an outcome if it is the best; true if it is better than what was known.
    fn note(&mut self, outcome: &P::Outcome) -> bool {
        let is_better = self.problem.worth(outcome) > self.problem.worth(&self.best);
        if is_better {
            self.best = outcome.clone();
        }
        is_better
    }

    /// A processor is dead.
    fn mourn(&mut self, id: ProcessorId) {
        self.is_alive[id.index()] = false;
        if self.asked == Some(id) {
            self.asked = None;
        }
        for job in &mut self.jobs {
            let (lost, kept) = job.gifts.drain(..).partition(|gift| gift.to == id);
            job.gifts = kept;
            job.open.extend(lost.into_iter().map(|gift: Gift<_>| gift.piece));
        }
        self.drop_jobs(|(giver, _)| giver == id);
        self.lead_if_first();
    }

    /// Drops jobs that are not wanted any more, and tells those who work for them.
    fn drop_jobs(&mut self, is_off: impl Fn((ProcessorId, Ticket)) -> bool) {
        let (off, kept) = self.jobs.drain(..).partition(|job: &Job<P>| job.origin.is_some_and(&is_off));
        self.jobs = kept;
        for gift in off.into_iter().flat_map(|job| job.gifts) {
            self.say(gift.to, Message::Cancel { ticket: gift.ticket });
        }
    }

    /// Takes a piece apart; false if there is none.
    fn work(&mut self) -> bool {
        let newest = self.jobs.iter().rposition(|job| !job.open.is_empty());
        let Some((job, piece)) = newest.and_then(|job| Some((job, self.jobs[job].open.pop()?))) else {
            return false;
        };
        if self.problem.bound(&piece) <= self.problem.worth(&self.best) {
            return true;
        }
        self.pieces += 1;
        self.here.charge(self.pace.cost);
        let outcome = self.problem.outcome(&piece);
        if self.note(&outcome) {
            let mut bytes = Vec::new();
            self.problem.write_outcome(&outcome, &mut bytes);
            self.others().for_each(|other| self.say(other, Message::Best { outcome: &bytes }));
        }
        self.problem.children(&piece, &mut self.children);
        let job = &mut self.jobs[job];
        job.outcome = self.problem.combine(job.outcome.clone(), outcome);
        job.open.append(&mut self.children);
        true
    }

    /// Returns jobs that are done; true if there were any.
    fn hand_in(&mut self) -> bool {
        let is_done = |job: &Job<P>| job.open.is_empty() && job.gifts.is_empty();
        let (done, kept): (Vec<_>, Vec<_>) = self.jobs.drain(..).partition(is_done);
        self.jobs = kept;
        let any = !done.is_empty();
        for job in done {
            let knows_better = self.problem.worth(&self.best) > self.problem.worth(&job.outcome);
            let outcome = if knows_better { self.best.clone() } else { job.outcome };
            let Some((to, ticket)) = job.origin else {
                self.result = Some(outcome);
                self.is_over = true;
                self.others().for_each(|other| self.say(other, Message::End));
                return true;
            };
            let mut bytes = Vec::new();
            self.problem.write_outcome(&outcome, &mut bytes);
            self.say(to, Message::Return { ticket, outcome: &bytes });
        }
        any
    }

    /// Asks another processor for work, and sleeps until there is news.
    fn rest(&mut self) {
        let now = self.here.now();
        let others: Vec<ProcessorId> = self.others().collect();
        if self.asked.is_none() && now >= self.asks_again && !others.is_empty() {
            let victim = others[self.random.usize(..others.len())];
            self.say(victim, Message::Request);
            self.asked = Some(victim);
        }
        let is_waiting = self.asked.is_some() || others.is_empty();
        self.here.wait((!is_waiting).then_some(self.asks_again));
    }
}
