//! What one processor does. All that can happen to it is in [`Worker::handle`]; what it does about questions is in
//! `answering.rs`, and what the leader does besides in `leading.rs`.

use std::time::Duration;

use fabric::{Event, Processor, ProcessorId};
use game::{Game, Move, RuleFault};
use search::company::Company;
use search::desk::Desk;
use search::line::{Assignment, Finding};
use search::node::Arrival;
use search::watch::Interrupt;
use search::{Depth, Progress, Report, Score, Searcher, Settings, Window};
use table::Table;

use super::home::{Home, Verdict};
use super::protocol::{Epoch, Message};
use crate::measures::Activity;
use crate::meter::Meter;
use crate::stealing::{Pace, Share, Task, Tools};

/// How long a real leader sleeps between two looks at its limits.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// A search whose nodes cost time and that is not disturbed: it is short.
pub(super) struct Toll<'run> {
    pub(super) here: &'run dyn Processor,
    pub(super) cost: Duration,
    pub(super) nodes: u64,
}

impl<P> Company<P> for Toll<'_> {
    const SHARES: bool = true;

    fn shares(&self, _: &Arrival, _: Depth) -> bool {
        false
    }

    fn look(&mut self, _: &mut Desk<'_, P>) -> Result<(), Interrupt> {
        self.nodes += 1;
        self.here.charge(self.cost);
        Ok(())
    }

    fn improved(&mut self, _: &mut Desk<'_, P>, _: usize) {}

    fn wait(&mut self, _: &mut Desk<'_, P>, _: usize) -> Result<Option<Box<Assignment<P>>>, Interrupt> {
        Ok(None)
    }

    fn report(&mut self, _: Option<Finding>) {}

    fn close(&mut self, _: &mut Desk<'_, P>, _: usize) {}
}

/// What the leader knows of the root in an iteration.
pub(super) struct Lead {
    pub(super) depth: Depth,
    /// The least and the most that it may be worth.
    pub(super) bounds: (Score, Score),
    pub(super) best: Option<Move>,
    /// The question that is out.
    pub(super) window: Window,
}

pub(super) struct Worker<'run, G: Game> {
    pub(super) here: &'run dyn Processor,
    pub(super) task: &'run Task<'run, G>,
    pub(super) settings: Settings,
    /// What is known of positions that are at home here.
    pub(super) table: &'run dyn Table,
    pub(super) searcher: Searcher<'run, G, &'run dyn Table, Toll<'run>>,
    pub(super) meter: Meter<'run>,
    pub(super) pace: Pace,
    pub(super) home: Home,
    pub(super) alive: Vec<bool>,
    pub(super) epoch: Epoch,
    /// Messages of those who know of more deaths.
    pub(super) early: Vec<(ProcessorId, Message)>,
    pub(super) last_iteration: Depth,
    pub(super) lead: Option<Lead>,
    pub(super) is_over: bool,
    pub(super) is_faulty: bool,
}

impl<'run, G: Game> Worker<'run, G> {
    pub(super) fn new(
        here: &'run dyn Processor,
        task: &'run Task<'run, G>,
        settings: Settings,
        (table, searcher): (&'run dyn Table, Searcher<'run, G, &'run dyn Table, Toll<'run>>),
        meter: Meter<'run>,
        pace: Pace,
    ) -> Worker<'run, G> {
        Worker {
            here,
            task,
            settings,
            table,
            searcher,
            meter,
            pace,
            home: Home::default(),
            alive: vec![true; here.processors()],
            epoch: Epoch::default(),
            early: Vec::new(),
            last_iteration: Depth(0),
            lead: None,
            is_over: false,
            is_faulty: false,
        }
    }

    /// Answers questions until the search is over; asks them, too, as the leader.
    pub(super) fn run(
        &mut self,
        leads: bool,
        tools: &Tools<'run>,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Option<Result<Report, RuleFault>> {
        if leads {
            return Some(self.direct(progress));
        }
        loop {
            // Faults of the rules are met again by the leader, which has no other to ask then.
            if self.serve_once().is_err() {
                self.tell_others(&Message::Fault);
            }
            if self.is_over {
                return None;
            }
            if self.must_lead() {
                let (control, clock) = tools.outside;
                self.searcher.take_over(&self.task.limits, control, clock, tools.epoch);
                return Some(self.direct(&mut |_| {}));
            }
        }
    }

    pub(super) fn share(mut self, report: Option<Result<Report, RuleFault>>, table: &dyn Table) -> Share {
        self.meter.measures.nodes = self.searcher.company().nodes;
        let statistics = self.searcher.statistics();
        Share { measures: self.meter.finish(self.pace.node_time, table), statistics, report }
    }

    /// Handles what has arrived, and begins a job or waits.
    pub(super) fn serve_once(&mut self) -> Result<(), Interrupt> {
        while let Some(event) = self.here.poll() {
            self.handle(event);
        }
        let is_known = self.lead.as_ref().is_some_and(|lead| lead.bounds.0 >= lead.bounds.1);
        if self.is_over || is_known || self.must_lead() {
            return Ok(());
        }
        if let Some(job) = self.home.next() {
            self.meter.turn_to(Activity::Searching);
            return self.begin(job);
        }
        self.meter.turn_to(Activity::NoWork);
        let is_real = self.pace.cost.is_zero();
        self.here.wait((self.lead.is_some() && is_real).then(|| self.here.now() + LOOK_EVERY));
        Ok(())
    }

    /// Whether the leader is gone and this processor is next.
    pub(super) fn must_lead(&self) -> bool {
        let first = self.alive.iter().position(|alive| *alive);
        self.lead.is_none() && first == Some(self.here.id().index())
    }

    pub(super) fn say(&mut self, to: ProcessorId, message: &Message) {
        self.meter.send_as(message.kind(), to, message.to_bytes());
    }

    pub(super) fn tell_others(&mut self, message: &Message) {
        for number in 0..self.alive.len() {
            if self.alive[number] && number != self.here.id().index() {
                self.say(ProcessorId(number as u32), message);
            }
        }
    }

    /// All that can happen.
    fn handle(&mut self, event: Event) {
        let (from, bytes) = match event {
            Event::Message { from, bytes } => (from, bytes),
            Event::Died(gone) => return self.on_death(gone),
        };
        // A processor that shares out a search sends nothing else; what cannot be read was not for us.
        if let Some(message) = Message::from_bytes(&bytes) {
            self.take_in(from, message);
        }
    }

    fn take_in(&mut self, from: ProcessorId, message: Message) {
        if let Some(epoch) = message.epoch()
            && epoch != self.epoch
        {
            if epoch.dead >= self.epoch.dead {
                self.early.push((from, message));
            }
            return;
        }
        match message {
            Message::Ask { asker, depth, window, cuts, line, .. } => {
                self.asked_about((from, asker), line, (depth, window, cuts));
            }
            Message::Answer { asker, score, bound, best, .. } => {
                self.answered(asker, Verdict { score, bound }, best);
            }
            Message::Drop { asker, .. } => {
                if let Some((number, job)) = self.home.drop_asker((from, asker)) {
                    self.take_back(number, &job);
                }
            }
            Message::Fault => self.is_faulty = true,
            Message::End => self.is_over = true,
            Message::Iteration { depth } => self.last_iteration = depth,
        }
    }

    /// Positions have other homes from now on: all questions are asked again.
    fn on_death(&mut self, gone: ProcessorId) {
        self.alive[gone.index()] = false;
        self.epoch.dead += 1;
        let mixed = u64::from(gone.0 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.epoch.sum = self.epoch.sum.wrapping_add(mixed ^ (mixed >> 29));
        self.home.drop_all();
        self.ask_root();
        for (from, message) in std::mem::take(&mut self.early) {
            self.take_in(from, message);
        }
    }

    pub(super) fn home_of(&self, key: u64) -> ProcessorId {
        let living: Vec<usize> = (0..self.alive.len()).filter(|&number| self.alive[number]).collect();
        ProcessorId(living[(((key & 0xffff_ffff) * living.len() as u64) >> 32) as usize] as u32)
    }

    pub(super) fn key(&mut self, line: &[Move], depth: u32) -> u64 {
        self.searcher.key(line, Depth(depth as i32)).0
    }
}
