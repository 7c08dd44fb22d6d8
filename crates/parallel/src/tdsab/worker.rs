//! What one processor does. All that can happen to it is in [`Worker::handle`].

use std::collections::HashMap;

use fabric::{Event, Processor, ProcessorId};
use game::{Game, MoveList, RuleFault, Stage};
use search::Score;

use super::protocol::{Asker, Message};
use super::{Task, TdsabError};

/// Entries of a processor's part of the table, at most; a full one is emptied.
const ENTRIES_MAX: usize = 1 << 22;

/// The job that the leader's questions about the root belong to.
const ROOT: Asker = Asker { job: 0, index: 0 };

/// What a question is about: position, depth, bound.
type Question = (u64, u32, Score);

struct Child<P> {
    position: P,
    signature: u64,
    is_asked: bool,
    is_answered: bool,
}

struct Job<P> {
    question: Question,
    cuts: bool,
    position: P,
    children: Vec<Child<P>>,
    /// What the moves that are settled come to.
    best: Score,
    /// Who wants to know.
    waiting: Vec<(ProcessorId, Asker)>,
}

/// What one processor has to tell at the end.
pub(super) struct Share {
    pub(super) score: Option<Result<Score, TdsabError>>,
    pub(super) nodes: u64,
}

pub(super) struct Worker<'run, G: Game> {
    here: &'run dyn Processor,
    task: &'run Task<'run, G>,
    /// By position and depth: at least, at most.
    table: HashMap<(u64, u32), (Score, Score)>,
    jobs: HashMap<u64, Job<G::Position>>,
    /// Jobs by what they are about.
    active: HashMap<Question, u64>,
    /// Jobs whose moves are not known yet; the last one is next.
    fresh: Vec<u64>,
    numbers: u64,
    /// The leader's bounds of the root.
    bounds: (Score, Score),
    nodes: u64,
    ending: Option<Option<Result<Score, TdsabError>>>,
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

impl<'run, G: Game> Worker<'run, G> {
    pub(super) fn new(here: &'run dyn Processor, task: &'run Task<'run, G>) -> Self {
        Worker {
            here,
            task,
            table: HashMap::new(),
            jobs: HashMap::new(),
            active: HashMap::new(),
            fresh: Vec::new(),
            numbers: 0,
            bounds: (Score::MINUS_INFINITE, Score::INFINITE),
            nodes: 0,
            ending: None,
        }
    }

    pub(super) fn run(mut self) -> Share {
        if self.here.id().0 == 0 {
            self.ask_root(self.task.guess);
        }
        while self.ending.is_none() {
            while self.ending.is_none()
                && let Some(event) = self.here.poll()
            {
                self.handle(&event);
            }
            match self.fresh.pop() {
                _ if self.ending.is_some() => {}
                Some(job) => {
                    if self.begin(job).is_err() {
                        self.fail();
                    }
                }
                None => self.here.wait(None),
            }
        }
        Share { score: self.ending.flatten(), nodes: self.nodes }
    }

    fn say(&self, to: ProcessorId, message: &Message<'_>) {
        self.here.send(to, message.to_bytes());
    }

    fn tell_others(&self, message: &Message<'_>) {
        let all = (0..self.here.processors() as u32).map(ProcessorId);
        all.filter(|&other| other != self.here.id()).for_each(|other| self.say(other, message));
    }

    fn fail(&mut self) {
        self.tell_others(&Message::Fault);
        self.ending = Some(Some(Err(TdsabError::Fault)));
    }

    /// All that can happen.
    fn handle(&mut self, event: &Event) {
        let (from, bytes) = match event {
            Event::Message { from, bytes } => (*from, bytes),
            Event::Died(_) => {
                self.ending = Some(None);
                return;
            }
        };
        // Who shares out a search sends nothing else; what cannot be read was not for us.
        let Some(message) = Message::from_bytes(bytes) else { return };
        match message {
            Message::Ask { asker, depth, least, cuts, position } => {
                if let Some(position) = self.task.game.read(position) {
                    self.asked_about(from, asker, position, (depth, least, cuts));
                }
            }
            Message::Answer { asker, score, is_least } => self.answered(asker, score, is_least),
            Message::Drop { asker } => self.dropped(from, asker),
            Message::Fault => self.ending = Some(Some(Err(TdsabError::Fault))),
            Message::End => self.ending = Some(None),
        }
    }

    fn home(&self, signature: u64) -> ProcessorId {
        ProcessorId((((signature & 0xffff_ffff) * self.here.processors() as u64) >> 32) as u32)
    }

    fn ask(
        &self,
        asker: Asker,
        position: &G::Position,
        signature: u64,
        (depth, least, cuts): (u32, Score, bool),
    ) {
        let mut bytes = Vec::new();
        self.task.game.write(position, &mut bytes);
        self.say(self.home(signature), &Message::Ask { asker, depth, least, cuts, position: &bytes });
    }

    fn ask_root(&self, least: Score) {
        let signature = self.task.game.signature(self.task.root).0;
        self.ask(ROOT, self.task.root, signature, (self.task.depth, least, true));
    }

    /// Somebody asks about a position that is at home here.
    fn asked_about(
        &mut self,
        from: ProcessorId,
        asker: Asker,
        position: G::Position,
        (depth, least, cuts): (u32, Score, bool),
    ) {
        let signature = self.task.game.signature(&position).0;
        if let Some(&(low, high)) = self.table.get(&(signature, depth)) {
            if low >= least {
                return self.say(from, &Message::Answer { asker, score: low, is_least: true });
            }
            if high < least {
                return self.say(from, &Message::Answer { asker, score: high, is_least: false });
            }
        }
        let question = (signature, depth, least);
        if let Some(job) = self.active.get(&question).and_then(|number| self.jobs.get_mut(number)) {
            return job.waiting.push((from, asker));
        }
        self.numbers += 1;
        let best = Score::MINUS_INFINITE;
        let waiting = vec![(from, asker)];
        self.jobs.insert(self.numbers, Job { question, cuts, position, children: Vec::new(), best, waiting });
        self.active.insert(question, self.numbers);
        self.fresh.push(self.numbers);
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        self.here.charge(self.task.node_cost);
    }

    /// Finds the moves of a job, and asks about the first ones.
    fn begin(&mut self, number: u64) -> Result<(), RuleFault> {
        let Some(job) = self.jobs.get(&number) else { return Ok(()) };
        let (position, (_, depth, least)) = (job.position.clone(), job.question);
        if depth <= self.task.local_depth {
            let score = self.search(&position, depth, least)?;
            self.finish(number, score);
            return Ok(());
        }
        self.count_node();
        let game = self.task.game;
        let (mut moves, mut best, mut children) = (MoveList::new(), Score::MINUS_INFINITE, Vec::new());
        if let Some(outcome) = game.generate(&position, Stage::All, &mut moves)? {
            self.finish(number, Score::of_outcome(outcome, 0));
            return Ok(());
        }
        for played in moves.iter() {
            if let Some(outcome) = played.head.outcome() {
                best = best.max(Score::of_outcome(outcome, 1));
                continue;
            }
            let mut position = position.clone();
            game.play(&mut position, played);
            let signature = game.signature(&position).0;
            children.push(Child { position, signature, is_asked: false, is_answered: false });
        }
        if let Some(job) = self.jobs.get_mut(&number) {
            (job.best, job.children) = (best, children);
        }
        self.go_on(number);
        Ok(())
    }

    /// Asks what is to be asked next, or ends the job.
    fn go_on(&mut self, number: u64) {
        let Some(job) = self.jobs.get(&number) else { return };
        let ((_, depth, least), best) = (job.question, job.best);
        if best >= least || job.children.iter().all(|child| child.is_answered) {
            return self.finish(number, best);
        }
        let has_begun = job.children.iter().any(|child| child.is_answered);
        let is_waiting = job.children.iter().any(|child| child.is_asked && !child.is_answered);
        if is_waiting && !has_begun {
            return;
        }
        let many = if job.cuts && !has_begun { 1 } else { usize::MAX };
        let child_least = least_before_ageing((-least).next());
        let open = job.children.iter().enumerate().filter(|(_, child)| !child.is_asked);
        let asked: Vec<usize> = open.take(many).map(|(index, _)| index).collect();
        for &index in &asked {
            let child = &job.children[index];
            let asker = Asker { job: number, index: index as u32 };
            self.ask(asker, &child.position, child.signature, (depth - 1, child_least, !job.cuts));
        }
        if let Some(job) = self.jobs.get_mut(&number) {
            asked.into_iter().for_each(|index| job.children[index].is_asked = true);
        }
    }

    fn answered(&mut self, asker: Asker, score: Score, is_least: bool) {
        if asker == ROOT {
            return self.root_answered(score, is_least);
        }
        let Some(job) = self.jobs.get_mut(&asker.job) else { return };
        let Some(child) = job.children.get_mut(asker.index as usize) else { return };
        child.is_answered = true;
        job.best = job.best.max(-aged(score));
        self.go_on(asker.job);
    }

    /// The leader closes in on the value from both sides.
    fn root_answered(&mut self, score: Score, is_least: bool) {
        if is_least {
            self.bounds.0 = self.bounds.0.max(score);
        } else {
            self.bounds.1 = self.bounds.1.min(score);
        }
        let (low, high) = self.bounds;
        if low >= high {
            self.tell_others(&Message::End);
            self.ending = Some(Some(Ok(score)));
        } else {
            self.ask_root(if is_least { low.next() } else { high });
        }
    }

    /// A job is done: notes what came out, answers, and takes back what is not needed any more.
    fn finish(&mut self, number: u64, score: Score) {
        let Some(job) = self.jobs.remove(&number) else { return };
        self.active.remove(&job.question);
        let (signature, depth, least) = job.question;
        let is_least = score >= least;
        if self.table.len() >= ENTRIES_MAX {
            self.table.clear();
        }
        let unknown = (Score::MINUS_INFINITE, Score::INFINITE);
        let entry = self.table.entry((signature, depth)).or_insert(unknown);
        if is_least {
            entry.0 = entry.0.max(score);
        } else {
            entry.1 = entry.1.min(score);
        }
        self.take_back(number, &job);
        for (from, asker) in job.waiting {
            self.say(from, &Message::Answer { asker, score, is_least });
        }
    }

    fn take_back(&self, number: u64, job: &Job<G::Position>) {
        for (index, child) in job.children.iter().enumerate() {
            if child.is_asked && !child.is_answered {
                let asker = Asker { job: number, index: index as u32 };
                self.say(self.home(child.signature), &Message::Drop { asker });
            }
        }
    }

    /// Somebody does not want to know any more.
    fn dropped(&mut self, from: ProcessorId, asker: Asker) {
        let waits = |job: &Job<_>| job.waiting.contains(&(from, asker));
        let Some(number) = self.jobs.iter().find(|(_, job)| waits(job)).map(|(number, _)| *number) else {
            return;
        };
        if let Some(job) = self.jobs.get_mut(&number) {
            job.waiting.retain(|other| *other != (from, asker));
            if !job.waiting.is_empty() {
                return;
            }
        }
        if let Some(job) = self.jobs.remove(&number) {
            self.active.remove(&job.question);
            self.take_back(number, &job);
        }
    }

    /// What a position is worth as seen from itself, exact on the side of the bound that it is on.
    fn search(&mut self, position: &G::Position, depth: u32, least: Score) -> Result<Score, RuleFault> {
        self.count_node();
        let game = self.task.game;
        let mut moves = MoveList::new();
        if let Some(outcome) = game.generate(position, Stage::All, &mut moves)? {
            return Ok(Score::of_outcome(outcome, 0));
        }
        if depth == 0 {
            return game.evaluate(position).map(Score::estimate);
        }
        let mut best = Score::MINUS_INFINITE;
        let child_least = least_before_ageing((-least).next());
        for played in moves.iter() {
            let score = if let Some(outcome) = played.head.outcome() {
                Score::of_outcome(outcome, 1)
            } else {
                let mut child = position.clone();
                game.play(&mut child, played);
                -aged(self.search(&child, depth - 1, child_least)?)
            };
            best = best.max(score);
            if best >= least {
                break;
            }
        }
        Ok(best)
    }
}
