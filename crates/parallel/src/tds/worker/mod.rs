//! What one processor does. All that can happen to it is in [`Worker::handle`].

mod arrivals;
mod rest;

use std::time::Duration;

use fabric::{Event, Processor, ProcessorId};

use super::grain::{Dives, Tuner};
use super::memory::Memory;
use super::open::Open;
use super::post::{Address, Post};
use super::protocol::{Aim, Message, gift_head};
use super::record::{self, Form};
use super::settings::{Effort, Lost, Scheduling, Settings};
use super::space::{Child, Scout, Space};
use super::termination::Waves;

/// Moves of a solution at most.
const LENGTH_MAX: u32 = 1 << 12;

/// How long the leader sleeps before it asks whether to stop.
const NAP: Duration = Duration::from_millis(10);

/// States that are looked at between two such questions.
const STATES_BETWEEN_QUESTIONS: u32 = 64;

/// States that are given to one that asks, at most.
const GIFT_MAX: usize = 64;

/// Where a processor looks a state up.
#[derive(Clone, Copy)]
pub(super) enum Known<'run> {
    /// A table of its own, or of all.
    Here(&'run Memory),
    /// A part belongs to each processor, and others reach into it.
    Parts(&'run [Memory]),
}

/// What only the leader is told.
pub(super) struct Leader<'run> {
    pub(super) stop: &'run dyn Fn() -> bool,
    pub(super) nodes_max: Option<u64>,
    pub(super) progress: &'run mut dyn FnMut(u32, u64),
    /// Whether to look at `stop` at all: virtual time does not pass by sleeping.
    pub(super) naps: bool,
}

/// How it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Solved(Vec<u16>),
    Unsolvable,
    Stopped,
    Lost(Lost),
    /// The leader knows.
    Over,
}

/// What one processor has to tell at the end.
pub(super) struct Share {
    pub(super) ending: Ending,
    pub(super) limit: u32,
    pub(super) effort: Effort,
}

pub(super) struct Worker<'run, 'lead> {
    here: &'run dyn Processor,
    space: &'run dyn Space,
    scout: Box<dyn Scout + 'run>,
    settings: Settings,
    known: Known<'run>,
    leader: Option<Leader<'lead>>,
    address: Address<'run>,
    post: Post<'run>,
    open: Open,
    waves: Waves,
    form: Form,
    iteration: u32,
    limit: u32,
    /// The least length that was out of reach in this iteration.
    next: u32,
    /// The state that is being worked on.
    current: Vec<u8>,
    /// Room for those of its children that are at home here.
    own: Vec<u8>,
    /// States with so many moves left are searched to the end.
    grain: u32,
    tuner: Tuner,
    dives: Dives,
    /// How full the stacks of all processors are, this one's among them, and the fullest of the others.
    levels: Vec<u8>,
    highest: u8,
    /// Of a processor that asks for work: whether it waits for an answer, when it asks again, and how long it
    /// pauses then.
    is_asking: bool,
    asks_again: Option<Duration>,
    pause: Duration,
    random: fastrand::Rng,
    until_question: u32,
    effort: Effort,
    ending: Option<Ending>,
}

impl<'run, 'lead> Worker<'run, 'lead> {
    pub(super) fn new(
        here: &'run dyn Processor,
        space: &'run dyn Space,
        settings: Settings,
        known: Known<'run>,
        leader: Option<Leader<'lead>>,
    ) -> Self {
        Worker {
            here,
            space,
            scout: space.scout(),
            settings,
            known,
            leader,
            address: Address::new(space, here.processors(), settings.keeps_kin),
            post: Post::new(here, settings.batch, settings.batch_most),
            open: Open::default(),
            waves: Waves::new(here.id(), here.processors()),
            form: Form::default(),
            iteration: 0,
            limit: 0,
            next: u32::MAX,
            current: Vec::new(),
            own: Vec::new(),
            grain: 0,
            tuner: Tuner::new(settings.grain),
            dives: Dives::default(),
            levels: vec![0; here.processors()],
            highest: 0,
            is_asking: false,
            asks_again: None,
            pause: settings.pauses.0,
            random: fastrand::Rng::with_seed(settings.seed ^ u64::from(here.id().0) << 32),
            until_question: 0,
            effort: Effort::default(),
            ending: None,
        }
    }

    /// Works until the puzzle is solved, or is known not to be.
    pub(super) fn run(mut self) -> Share {
        if self.leader.is_some() {
            let start = self.space.start();
            match start.is_goal {
                true => self.ending = Some(Ending::Solved(Vec::new())),
                false => self.lead_on(start.bound, Dives::default()),
            }
        }
        while self.ending.is_none() {
            while self.ending.is_none()
                && let Some(event) = self.here.poll()
            {
                self.handle(&event);
            }
            if self.ending.is_none() && !self.works() {
                self.rest();
            }
        }
        self.close()
    }

    /// Tells the others that it is over.
    fn close(mut self) -> Share {
        let sons = self.waves.sons().to_vec();
        sons.into_iter().for_each(|son| self.say(son, &Message::End));
        (self.effort.messages, self.effort.bytes) = (self.post.sent, self.post.bytes);
        Share { ending: self.ending.unwrap_or(Ending::Over), limit: self.limit, effort: self.effort }
    }

    fn say(&self, to: ProcessorId, message: &Message<'_>) {
        self.here.send(to, message.to_bytes());
    }

    /// All that can happen.
    fn handle(&mut self, event: &Event) {
        let (from, bytes) = match event {
            Event::Message { from, bytes } => (*from, bytes),
            Event::Died(id) => {
                self.ending = Some(Ending::Lost(Lost(*id)));
                return;
            }
        };
        // A processor that shares out a puzzle sends nothing else; what cannot be read was not for us.
        let Some(message) = Message::from_bytes(bytes) else { return };
        match message {
            Message::States { iteration, aim, records } => {
                self.post.received += 1;
                self.learn(iteration, aim);
                self.take_in(records);
            }
            Message::Gift { iteration, aim, records } => {
                self.post.received += 1;
                self.learn(iteration, aim);
                self.take_gift(records);
            }
            Message::Begin { iteration, aim } => {
                self.learn(iteration, aim);
                self.tell_sons(&Message::Begin { iteration, aim });
            }
            Message::Ask { wave } => {
                self.waves.asked(wave);
                self.tell_sons(&Message::Ask { wave });
            }
            Message::Tell { wave, tally } => self.waves.told(wave, &tally),
            Message::Found { path } => {
                self.post.received += 1;
                self.found(path);
            }
            Message::End => self.ending = Some(Ending::Over),
            Message::Level(level) => self.note_level(from, level),
            Message::Request => self.give(from),
            Message::Nothing => {
                self.is_asking = false;
                self.asks_again = Some(self.here.now() + self.pause);
                self.pause = (self.pause * 2).min(self.settings.pauses.1);
            }
        }
    }

    fn tell_sons(&self, message: &Message<'_>) {
        self.waves.sons().iter().for_each(|&son| self.say(son, message));
    }

    /// Begins an iteration that others have begun.
    fn learn(&mut self, iteration: u32, aim: Aim) {
        if iteration <= self.iteration {
            return;
        }
        let Aim { limit, grain } = aim;
        (self.iteration, self.limit, self.next, self.grain) = (iteration, limit, u32::MAX, grain);
        let form = Form::new(self.space.state_bytes(), self.space.step_bits(), limit);
        self.form = if self.space.divided().is_some() { form.with_looks() } else { form };
        self.open.begin(self.form.bytes());
        self.post.begin(iteration, aim, self.form.bytes());
        self.waves.forget();
        self.dives = Dives::default();
        (self.asks_again, self.pause) = (None, self.settings.pauses.0);
    }

    /// Works on a few states; false if there are none, or others have to catch up first.
    fn works(&mut self) -> bool {
        let level = self.levels[self.here.id().index()];
        if level < self.highest {
            return false;
        }
        self.post.be_patient(self.open.len() >= self.settings.plenty);
        let mut worked = false;
        for _ in 0..self.settings.interval {
            let wide = self.settings.scheduling == Scheduling::Home && self.open.len() < self.settings.wide;
            let mut current = std::mem::take(&mut self.current);
            let taken =
                if wide { self.open.pop_highest(&mut current) } else { self.open.pop_deepest(&mut current) };
            self.current = current;
            if !taken {
                break;
            }
            if let (Known::Here(memory), Some(signature)) = (self.known, self.open.upcoming(!wide)) {
                memory.fetch(signature);
            }
            worked = true;
            self.work();
        }
        if level > 0 {
            self.mind_the_stack();
        }
        if worked && self.leader.is_some() {
            self.until_question = self.until_question.saturating_sub(1);
            if self.until_question == 0 {
                self.until_question = STATES_BETWEEN_QUESTIONS;
                self.mind_the_limits();
            }
        }
        worked
    }

    fn mind_the_limits(&mut self) {
        let Some(leader) = &self.leader else { return };
        // All work as much as the leader does.
        let nodes = self.effort.nodes.saturating_mul(self.here.processors() as u64);
        if (leader.stop)() || leader.nodes_max.is_some_and(|most| nodes >= most) {
            self.ending = Some(Ending::Stopped);
        }
    }

    /// Works on the current state.
    fn work(&mut self) {
        let (signature, made) = (record::signature(&self.current), u32::from(record::made(&self.current)));
        let left = self.limit - made;
        let is_wanted = match (self.settings.scheduling, self.known) {
            // It may have been reached by fewer moves while it waited.
            (Scheduling::Home, Known::Here(memory)) => {
                memory.left(signature).is_none_or(|known| known <= left)
            }
            (Scheduling::Home, Known::Parts(_)) => true,
            (Scheduling::Stealing, _) => self.is_new(signature, left),
        };
        if !is_wanted {
            self.effort.known += 1;
        } else if left <= self.grain && self.space.divided().is_none() {
            self.dive(made, left);
        } else {
            self.expand(made, left);
        }
    }

    /// Sends on what follows the current state.
    fn expand(&mut self, made: u32, left: u32) {
        let (form, current, limit) = (self.form, &self.current, self.limit);
        let (divided, address) = (self.space.divided(), self.address);
        let destination = |child: &Child<'_>| match divided {
            Some(divided) => ProcessorId(divided.holder(0, child.state) as u32),
            None => address.home(child.state, child.signature),
        };
        let (post, next) = (&mut self.post, &mut self.next);
        let steals = self.settings.scheduling == Scheduling::Stealing;
        let (mut children, mut solution) = (0, None);
        // States that are at home here already.
        let mut own = std::mem::take(&mut self.own);
        let known = self.known;
        self.scout.expand(form.state(current), record::last(current), left, &mut |child| {
            children += 1;
            let length = made + 1 + child.bound;
            if length > limit {
                *next = length.min(*next);
            } else if child.is_goal {
                solution = Some(child.step);
            } else {
                let write = |into: &mut Vec<u8>| {
                    form.append(current, child.signature, child.last, child.step, child.state, into);
                };
                match post.next_hop(destination(child)).filter(|_| !steals) {
                    Some(hop) => post.put(hop, write),
                    None => {
                        write(&mut own);
                        if let Known::Here(memory) = known {
                            memory.fetch(child.signature);
                        }
                    }
                }
            }
        });
        self.effort.expansions += 1;
        self.effort.nodes += u64::from(children);
        self.tuner.note_expansion(u64::from(children));
        // Where databases are divided bounds are looked up elsewhere.
        let evaluations = if divided.is_some() { 0 } else { children };
        self.here.charge(self.settings.costs.expansion + self.settings.costs.evaluation * evaluations);
        for record in own.chunks_exact(form.bytes()) {
            if steals {
                self.open.push(record);
            } else {
                self.admit(record);
            }
        }
        own.clear();
        self.own = own;
        self.effort.open_most = self.effort.open_most.max(self.open.len());
        if let Some(step) = solution {
            let mut path = self.form.path(&self.current);
            path.push(step);
            self.tell_solution(path);
        }
    }

    /// Searches all that is below the current state.
    fn dive(&mut self, made: u32, left: u32) {
        let dive = self.scout.dive(self.form.state(&self.current), record::last(&self.current), left);
        self.effort.dives += 1;
        self.effort.nodes += dive.nodes;
        let costs = self.settings.costs;
        self.here.charge((costs.expansion + costs.evaluation) * dive.nodes as u32);
        self.next = self.next.min(dive.next.saturating_add(made));
        if left == self.grain && left > 0 {
            (self.dives.count, self.dives.nodes) = (self.dives.count + 1, self.dives.nodes + dive.nodes);
        }
        if let Some(steps) = dive.solution {
            let mut path = self.form.path(&self.current);
            path.extend(steps);
            self.tell_solution(path);
        }
    }

    fn tell_solution(&mut self, path: Vec<u16>) {
        if self.leader.is_some() {
            return self.found(path);
        }
        // It is counted, so that the iteration is not over before the leader knows.
        self.post.send(ProcessorId(0), Message::Found { path }.to_bytes());
    }

    /// The leader hears of a solution; the first one counts.
    fn found(&mut self, path: Vec<u16>) {
        self.ending.get_or_insert(Ending::Solved(path));
    }

    /// Gives states to a processor that asks.
    fn give(&mut self, to: ProcessorId) {
        let (given, mut message);
        if self.settings.scheduling == Scheduling::Stealing {
            message = self.post.head().to_vec();
            // One state is no more than its owner needs.
            given = if self.open.len() > 1 { self.open.split(GIFT_MAX, &mut message) } else { 0 };
        } else {
            message = gift_head(self.iteration, Aim { limit: self.limit, grain: self.grain }).to_vec();
            let is_much = self.open.len() >= self.settings.gives_from;
            given = if is_much { self.open.halve(GIFT_MAX, &mut message) } else { 0 };
        }
        match given {
            0 => self.say(to, &Message::Nothing),
            _ => self.post.send(to, message),
        }
    }
}
