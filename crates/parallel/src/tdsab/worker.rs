//! What one processor does. All that can happen to it is in [`Worker::handle`].

use std::time::Duration;

use fabric::{Event, Processor, ProcessorId};
use game::{Game, Move, RuleFault};
use search::company::Company;
use search::desk::Desk;
use search::guided::{Inquiry, Prospect};
use search::line::{Assignment, Finding};
use search::node::Arrival;
use search::watch::Interrupt;
use search::{Depth, Limits, Progress, Report, Score, Searcher, Settings, Window};
use table::Table;

use super::home::{Child, Home, Job};
use super::protocol::{Asker, Epoch, Message};
use crate::measures::Activity;
use crate::meter::Meter;
use crate::stealing::{Pace, Share, Task, Tools};

/// The job that the leader's questions about the root belong to.
const ROOT: Asker = Asker { job: 0, index: 0 };

/// How long a real leader sleeps between two looks at its limits.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// A search whose nodes cost time and that nobody disturbs: it is short.
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

/// A score one ply further away.
fn aged(score: Score) -> Score {
    Score::from_stored(score.value(), 1)
}

/// The least score of a position that is at least this one a ply further away.
fn least_before_ageing(score: Score) -> Score {
    match score.distance() {
        Some(_) if score > Score::DRAW => score.next(),
        Some(_) => score.previous(),
        None => score,
    }
}

/// What the leader knows of the root in an iteration.
struct Lead {
    depth: Depth,
    bounds: (Score, Score),
    best: Option<Move>,
    /// The question that is out.
    least: Score,
}

pub(super) struct Worker<'run, G: Game> {
    here: &'run dyn Processor,
    task: &'run Task<'run, G>,
    settings: Settings,
    searcher: Searcher<'run, G, &'run dyn Table, Toll<'run>>,
    meter: Meter<'run>,
    pace: Pace,
    home: Home,
    alive: Vec<bool>,
    epoch: Epoch,
    /// Messages of those who know of more deaths.
    early: Vec<(ProcessorId, Message)>,
    last_iteration: Depth,
    lead: Option<Lead>,
    is_over: bool,
    is_faulty: bool,
}

impl<'run, G: Game> Worker<'run, G> {
    pub(super) fn new(
        here: &'run dyn Processor,
        task: &'run Task<'run, G>,
        settings: Settings,
        searcher: Searcher<'run, G, &'run dyn Table, Toll<'run>>,
        meter: Meter<'run>,
        pace: Pace,
    ) -> Worker<'run, G> {
        Worker {
            here,
            task,
            settings,
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
            // Faults of the rules are met again by the leader, who has nobody to ask then.
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

    /// Leads the search, and sends everybody home.
    fn direct(&mut self, progress: &mut dyn FnMut(&Progress<'_>)) -> Result<Report, RuleFault> {
        let report = self.deepen(progress);
        self.tell_others(&Message::End);
        report
    }

    /// Iteration by iteration; the first one alone, so that there is a move.
    fn deepen(&mut self, progress: &mut dyn FnMut(&Progress<'_>)) -> Result<Report, RuleFault> {
        let limits = self.task.limits;
        let last = limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX);
        let first = Limits { depth: Some(Depth(1).min(last)), ..limits };
        let report = self.searcher.lead(&self.settings, &first, progress)?;
        if report.depth < Depth(1) || report.fault.is_some() || report.best.is_none() || last <= Depth(1) {
            return Ok(report);
        }
        let (mut depth, mut score, mut fault) = (report.depth, report.score, None);
        let mut next = (self.last_iteration + 1).min(last).max(Depth(2));
        while next <= last && self.searcher.may_go_on() {
            match self.iterate(next, score) {
                Ok((found, best)) => {
                    (depth, score) = (next, found);
                    self.searcher.conclude(depth, score, Vec::from_iter(best), progress);
                    self.tell_others(&Message::Iteration { depth });
                }
                Err(Interrupt::Fault(found)) => {
                    fault = Some(found);
                    break;
                }
                Err(Interrupt::Stopped | Interrupt::Cut { .. }) => break,
            }
            let is_settled = score.distance().is_some_and(|plies| plies.abs() <= depth.0);
            if is_settled && limits.depth.is_none() && !limits.ponder {
                break;
            }
            next = next + 1;
        }
        Ok(self.searcher.summary(depth, score, fault))
    }

    /// Closes in on the value of the root from both sides.
    fn iterate(&mut self, depth: Depth, guess: Score) -> Result<(Score, Option<Move>), Interrupt> {
        let bounds = (Score::MINUS_INFINITE, Score::INFINITE);
        self.lead = Some(Lead { depth, bounds, best: None, least: guess });
        self.ask_root();
        loop {
            self.serve_once()?;
            self.searcher.look_at_limits()?;
            if self.is_faulty {
                // The fault is somewhere in this tree: one processor finds it.
                let (line, window) = (&[][..], Window::FULL);
                let score = self.searcher.inquire(&Inquiry { line, window, depth })?;
                self.is_faulty = false;
                return Ok((score, self.searcher.best_line(0).into_iter().next()));
            }
            if let Some(lead) = &self.lead
                && lead.bounds.0 >= lead.bounds.1
            {
                return Ok((lead.bounds.0, lead.best.clone()));
            }
        }
    }

    /// Handles what has arrived, and begins a job or waits.
    fn serve_once(&mut self) -> Result<(), Interrupt> {
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
    fn must_lead(&self) -> bool {
        let first = self.alive.iter().position(|alive| *alive);
        self.lead.is_none() && first == Some(self.here.id().index())
    }

    fn say(&mut self, to: ProcessorId, message: &Message) {
        self.meter.send_as(message.kind(), to, message.to_bytes());
    }

    fn tell_others(&mut self, message: &Message) {
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
        // Who shares out a search sends nothing else; what cannot be read was not for us.
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
            Message::Ask { asker, depth, least, cuts, line, .. } => {
                self.asked_about((from, asker), line, (depth, least, cuts));
            }
            Message::Answer { asker, score, is_least, best, .. } => {
                self.answered(asker, score, is_least, best);
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

    fn home_of(&self, key: u64) -> ProcessorId {
        let living: Vec<usize> = (0..self.alive.len()).filter(|&number| self.alive[number]).collect();
        ProcessorId(living[(((key & 0xffff_ffff) * living.len() as u64) >> 32) as usize] as u32)
    }

    fn key(&mut self, line: &[Move], depth: u32) -> u64 {
        self.searcher.key(line, Depth(depth as i32)).0
    }

    /// The leader's next question about the root.
    fn ask_root(&mut self) {
        let open = |lead: &&Lead| lead.bounds.0 < lead.bounds.1;
        let Some(&Lead { depth, least, .. }) = self.lead.as_ref().filter(open) else { return };
        let depth = depth.0 as u32;
        let key = self.key(&[], depth);
        let (epoch, line) = (self.epoch, Vec::new());
        let question = Message::Ask { epoch, asker: ROOT, depth, least, cuts: true, line };
        self.say(self.home_of(key), &question);
    }

    /// Somebody asks about a position that is at home here.
    fn asked_about(
        &mut self,
        who: (ProcessorId, Asker),
        line: Vec<Move>,
        (depth, least, cuts): (u32, Score, bool),
    ) {
        let question = (self.key(&line, depth), depth, least);
        match self.home.answer(question) {
            Some((score, is_least, best)) => {
                let (epoch, asker) = (self.epoch, who.1);
                let best = best.filter(|_| line.is_empty());
                self.say(who.0, &Message::Answer { epoch, asker, score, is_least, best });
            }
            None => self.home.open(who, question, cuts, line),
        }
    }

    /// Finds the moves of a job, and asks about the first ones.
    fn begin(&mut self, number: u64) -> Result<(), Interrupt> {
        let Some(job) = self.home.jobs.get(&number) else { return Ok(()) };
        let (line, (_, depth, least)) = (job.line.clone(), job.question);
        let ply = line.len();
        // The root has to say which move is best.
        if depth as i32 <= self.task.policy.depth_min && ply > 0 {
            let beta = Score::from_stored(least.value(), ply);
            let window = Window { alpha: beta.previous(), beta };
            let inquiry = Inquiry { line: &line, window, depth: Depth(depth as i32) };
            let score = self.searcher.inquire(&inquiry)?;
            self.finish(number, Score::from_value(score.to_stored(ply)));
            return Ok(());
        }
        let mut moves = match self.searcher.prospect(&line, Depth(depth as i32))? {
            Prospect::Settled(score) => {
                self.finish(number, Score::from_value(score.to_stored(ply)));
                return Ok(());
            }
            Prospect::Moves(moves) => moves,
        };
        self.known_first(&line, depth, &mut moves);
        let (mut best, mut best_move, mut children) = (Score::MINUS_INFINITE, None, Vec::new());
        let mut line = line;
        for played in moves {
            if let Some(outcome) = played.view().head.outcome() {
                let score = Score::of_outcome(outcome, 1);
                if score > best {
                    (best, best_move) = (score, Some(played));
                }
                continue;
            }
            line.push(played);
            let key = self.key(&line, depth - 1);
            children.extend(line.pop().map(|played| Child {
                played,
                key,
                is_asked: false,
                is_answered: false,
            }));
        }
        if let Some(job) = self.home.jobs.get_mut(&number) {
            (job.best, job.best_move, job.children) = (best, best_move, children);
        }
        self.go_on(number);
        Ok(())
    }

    /// Puts the move first that was best in the last search of the position.
    fn known_first(&mut self, line: &[Move], depth: u32, moves: &mut [Move]) {
        for depth in [depth, depth - 1] {
            let key = self.key(line, depth);
            let Some(best) = self.home.best(key, depth) else { continue };
            if let Some(place) = moves.iter().position(|played| played.view().same_as(best.view())) {
                moves[..=place].rotate_right(1);
            }
            return;
        }
    }

    /// Asks what is to be asked next, or ends the job.
    fn go_on(&mut self, number: u64) {
        let Some(job) = self.home.jobs.get_mut(&number) else { return };
        let ((_, depth, least), best, cuts) = (job.question, job.best, job.cuts);
        if best >= least || job.children.iter().all(|child| child.is_answered) {
            return self.finish(number, best);
        }
        let has_begun = job.children.iter().any(|child| child.is_answered);
        let is_waiting = job.children.iter().any(|child| child.is_asked && !child.is_answered);
        if is_waiting && !has_begun {
            return;
        }
        let many = if cuts && !has_begun { 1 } else { usize::MAX };
        let open = job.children.iter_mut().enumerate().filter(|(_, child)| !child.is_asked);
        let mut questions = Vec::new();
        for (index, child) in open.take(many) {
            child.is_asked = true;
            let mut line = job.line.clone();
            line.push(child.played.clone());
            questions.push((index, child.key, line));
        }
        let (epoch, least) = (self.epoch, least_before_ageing((-least).next()));
        for (index, key, line) in questions {
            let asker = Asker { job: number, index: index as u32 };
            let question = Message::Ask { epoch, asker, depth: depth - 1, least, cuts: !cuts, line };
            self.say(self.home_of(key), &question);
        }
    }

    fn answered(&mut self, asker: Asker, score: Score, is_least: bool, best: Option<Move>) {
        if asker == ROOT {
            return self.root_answered(score, is_least, best);
        }
        let Some(job) = self.home.jobs.get_mut(&asker.job) else { return };
        let Some(child) = job.children.get_mut(asker.index as usize) else { return };
        child.is_answered = true;
        let score = -aged(score);
        if score > job.best {
            (job.best, job.best_move) = (score, Some(child.played.clone()));
        }
        self.go_on(asker.job);
    }

    /// The leader learns on which side of its question the root is.
    fn root_answered(&mut self, score: Score, is_least: bool, best: Option<Move>) {
        let Some(lead) = &mut self.lead else { return };
        if is_least {
            lead.bounds.0 = lead.bounds.0.max(score);
            lead.best = best.or(lead.best.take());
        } else {
            lead.bounds.1 = lead.bounds.1.min(score);
        }
        let (low, high) = lead.bounds;
        if low < high {
            lead.least = if is_least { low.next() } else { high };
            self.ask_root();
        }
    }

    /// A job is done: answers, and takes back what is not needed any more.
    fn finish(&mut self, number: u64, score: Score) {
        let Some(job) = self.home.close(number, score) else { return };
        self.take_back(number, &job);
        let is_least = score >= job.question.2;
        let best = job.best_move.filter(|_| is_least && job.line.is_empty());
        let epoch = self.epoch;
        for (from, asker) in job.waiting {
            self.say(from, &Message::Answer { epoch, asker, score, is_least, best: best.clone() });
        }
    }

    fn take_back(&mut self, number: u64, job: &Job) {
        let epoch = self.epoch;
        for (index, child) in job.children.iter().enumerate() {
            if child.is_asked && !child.is_answered {
                let asker = Asker { job: number, index: index as u32 };
                self.say(self.home_of(child.key), &Message::Drop { epoch, asker });
            }
        }
    }
}
