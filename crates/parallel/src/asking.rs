//! A table whose parts are with processors that can be reached by messages alone, such as other hosts of a cluster.
//!
//! Every group of processors (a host) has a table that its members share. What is deep is told to all groups; what is
//! less deep has a *home*, by its signature: the home is told what others find out, and is asked by those who do not
//! know. Questions are begun before the position is made, or when its brothers are looked at, and are combined; what
//! the home says is kept in the table of the group, so that it is asked once. A processor that needs an answer that is
//! under way waits for it, a while at most, and answers others meanwhile. See README.md in `stealing`.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use fabric::{Event, Processor, ProcessorId};
use game::Signature;
use table::{Entry, Stored, Table};

use crate::stealing::{Message, Policy};
use crate::tables::{Replicated, part_of};

/// Questions that make a message, if no processor waits for an answer before.
const QUESTIONS_MAX: usize = 32;
/// Questions that are remembered, by their signatures.
const REMEMBERED: usize = 1 << 10;

/// Which entries others hear of, and which are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thresholds {
    /// Positions that are searched less deep concern no other group.
    pub asked_depth: u8,
    /// Entries of at least this depth are told to all groups; those between have a home that is asked.
    pub told_depth: u8,
    /// So many entries make a message.
    pub batch: usize,
    /// An answer is waited for so long at most.
    pub patience: Duration,
}

impl Thresholds {
    /// As a policy says, where entries of less depth than this concern no other group.
    #[must_use]
    pub fn new(policy: &Policy, asked_depth: u8, patience: Duration) -> Thresholds {
        let told_depth = asked_depth.saturating_add(policy.asked_plies);
        Thresholds { asked_depth, told_depth, batch: policy.batch, patience }
    }
}

/// The processors, by the table that they share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    /// Who is in each group.
    members: Vec<Vec<ProcessorId>>,
    /// The group of the processor that is here.
    own: usize,
    /// Its place in the group.
    place: usize,
}

impl Groups {
    /// Groups of processors, as one of them sees them; `None` if it is in no group.
    #[must_use]
    pub fn new(members: Vec<Vec<ProcessorId>>, here: ProcessorId) -> Option<Groups> {
        let place = |group: &Vec<ProcessorId>| group.iter().position(|member| *member == here);
        let (own, place) =
            members.iter().enumerate().find_map(|(number, group)| Some((number, place(group)?)))?;
        Some(Groups { members, own, place })
    }

    /// Who is spoken to in a group, as long as a processor lives there: members of one group speak to different ones of
    /// another.
    fn speaker(&self, group: usize) -> Option<ProcessorId> {
        let members = &self.members[group];
        (!members.is_empty()).then(|| members[self.place % members.len()])
    }

    /// One of each other group.
    fn speakers(&self) -> Vec<ProcessorId> {
        let others = (0..self.members.len()).filter(|group| *group != self.own);
        others.filter_map(|group| self.speaker(group)).collect()
    }

    /// The group that is asked about a position.
    fn home(&self, signature: Signature) -> usize {
        // Other bits than those that choose a place within a group.
        part_of(Signature(signature.0.rotate_right(20)), self.members.len())
    }

    fn without(&mut self, gone: ProcessorId) {
        self.members.iter_mut().for_each(|group| group.retain(|member| *member != gone));
    }
}

/// What waits to be sent to a group.
#[derive(Default)]
struct Outgoing {
    questions: Vec<u64>,
    entries: Vec<[u64; 3]>,
}

/// What was asked of others about a position.
#[derive(Clone, Copy, Default)]
struct Asked {
    signature: Signature,
    /// For a search to this depth: a deeper one asks again.
    depth: u8,
    since: Duration,
    /// Whether there is an answer to wait for.
    is_open: bool,
}

/// The table as one processor sees it, and the processor itself as its program sees it: mail about tables is answered
/// when it is looked at, and what comes while an answer is waited for is kept.
pub struct Asking<'run> {
    here: &'run dyn Processor,
    /// The table of the group, which tells all others what is deep.
    table: Replicated<'run>,
    groups: RefCell<Groups>,
    thresholds: Thresholds,
    outgoing: RefCell<Vec<Outgoing>>,
    /// Whether a question waits to be sent.
    has_questions: Cell<bool>,
    asked: RefCell<Box<[Asked]>>,
    /// Mail that came while an answer was waited for.
    mail: RefCell<VecDeque<Event>>,
    spent: Cell<Duration>,
}

impl<'run> Asking<'run> {
    /// The table of these groups, where processors of the group that is here share `own`.
    #[must_use]
    pub fn new(
        here: &'run dyn Processor,
        own: &'run dyn Table,
        groups: Groups,
        thresholds: Thresholds,
    ) -> Asking<'run> {
        let Thresholds { told_depth, batch, .. } = thresholds;
        let count = groups.members.len();
        Asking {
            here,
            table: Replicated::new(here, own, groups.speakers(), told_depth, batch),
            groups: RefCell::new(groups),
            thresholds,
            outgoing: RefCell::new((0..count).map(|_| Outgoing::default()).collect()),
            has_questions: Cell::new(false),
            asked: RefCell::new(vec![Asked::default(); REMEMBERED].into()),
            mail: RefCell::default(),
            spent: Cell::default(),
        }
    }

    /// The group that is asked about a position for a search to this depth, if there is one and it is not this
    /// processor's.
    fn home(&self, signature: Signature, depth: u8) -> Option<usize> {
        let Thresholds { asked_depth, told_depth, .. } = self.thresholds;
        let groups = self.groups.borrow();
        let home = (asked_depth..told_depth).contains(&depth).then(|| groups.home(signature))?;
        (home != groups.own && !groups.members[home].is_empty()).then_some(home)
    }

    /// What the group knows of a position, if that is enough for a search to this depth.
    fn known(&self, signature: Signature, depth: u8) -> Option<Entry> {
        self.table.probe(signature).filter(|entry| entry.depth >= depth)
    }

    /// What was asked about a position for a search to this depth.
    fn question(&self, signature: Signature, depth: u8) -> Option<Asked> {
        let asked = self.asked.borrow()[place_of(signature)];
        (asked.signature == signature && asked.depth == depth).then_some(asked)
    }

    /// Begins to ask.
    fn ask(&self, home: usize, signature: Signature, depth: u8) {
        let since = self.here.now();
        self.asked.borrow_mut()[place_of(signature)] = Asked { signature, depth, since, is_open: true };
        let count = {
            let outgoing = &mut self.outgoing.borrow_mut()[home];
            outgoing.questions.push(signature.0);
            outgoing.questions.len()
        };
        self.has_questions.set(true);
        if count >= QUESTIONS_MAX {
            self.send_questions();
        }
    }

    fn send_questions(&self) {
        if !self.has_questions.take() {
            return;
        }
        let groups = self.groups.borrow();
        for (group, outgoing) in self.outgoing.borrow_mut().iter_mut().enumerate() {
            if outgoing.questions.is_empty() {
                continue;
            }
            let questions = std::mem::take(&mut outgoing.questions);
            if let Some(speaker) = groups.speaker(group) {
                self.here.send(speaker, Message::Questions(questions).to_bytes());
            }
        }
    }

    /// Tells the homes what was found out, if there is enough for a message.
    fn send_entries(&self, least: usize) {
        let groups = self.groups.borrow();
        for (group, outgoing) in self.outgoing.borrow_mut().iter_mut().enumerate() {
            if outgoing.entries.len() < least.max(1) {
                continue;
            }
            let entries = std::mem::take(&mut outgoing.entries);
            if let Some(speaker) = groups.speaker(group) {
                self.here.send(speaker, Message::Entries(entries).to_bytes());
            }
        }
    }

    /// Waits for the answer to a question, unless it takes too long.
    fn await_answer(&self, question: Asked) {
        let began = self.here.now();
        let until = question.since + self.thresholds.patience;
        self.send_questions();
        while self.question(question.signature, question.depth).is_some_and(|asked| asked.is_open) {
            while let Some(event) = self.here.poll() {
                self.attend(&event);
                self.mail.borrow_mut().push_back(event);
            }
            if self.here.now() >= until {
                self.close(question.signature);
                break;
            }
            if self.question(question.signature, question.depth).is_some_and(|asked| asked.is_open) {
                self.here.wait(Some(until));
            }
        }
        self.spent.set(self.spent.get() + self.here.now().saturating_sub(began));
    }

    fn close(&self, signature: Signature) {
        let asked = &mut self.asked.borrow_mut()[place_of(signature)];
        if asked.signature == signature {
            asked.is_open = false;
        }
    }

    /// Does what tables have to do about an event. The program may look at it, too, and has nothing to do about it.
    fn attend(&self, event: &Event) {
        match event {
            Event::Died(gone) => self.groups.borrow_mut().without(*gone),
            Event::Message { from, bytes } if Message::is_about_tables(bytes) => {
                match Message::from_bytes(bytes) {
                    Some(Message::Questions(signatures)) => self.answer(*from, &signatures),
                    Some(Message::Answers(answers)) => self.hear_answers(&answers),
                    _ => {}
                }
            }
            Event::Message { .. } => {}
        }
    }

    fn answer(&self, to: ProcessorId, signatures: &[u64]) {
        let known = |&signature: &u64| {
            let entry = self.table.probe(Signature(signature));
            (signature, entry.map(|entry| entry.to_words()))
        };
        let answers = signatures.iter().map(known).collect();
        self.here.send(to, Message::Answers(answers).to_bytes());
    }

    fn hear_answers(&self, answers: &[(u64, Option<[u64; 2]>)]) {
        for &(signature, words) in answers {
            let signature = Signature(signature);
            if let Some(words) = words {
                self.table.hear(signature, Entry::from_words(words));
            }
            self.close(signature);
        }
    }
}

/// Where a question is remembered.
fn place_of(signature: Signature) -> usize {
    (signature.0 >> 24) as usize % REMEMBERED
}

impl Processor for Asking<'_> {
    fn id(&self) -> ProcessorId {
        self.here.id()
    }

    fn processors(&self) -> usize {
        self.here.processors()
    }

    fn send(&self, to: ProcessorId, bytes: Vec<u8>) {
        self.here.send(to, bytes);
    }

    fn poll(&self) -> Option<Event> {
        self.send_questions();
        if let Some(event) = self.mail.borrow_mut().pop_front() {
            return Some(event);
        }
        let event = self.here.poll()?;
        self.attend(&event);
        Some(event)
    }

    fn wait(&self, until: Option<Duration>) {
        // A processor with nothing to do has time to tell what it knows.
        self.send_questions();
        self.send_entries(1);
        if self.mail.borrow().is_empty() {
            self.here.wait(until);
        }
    }

    fn now(&self) -> Duration {
        self.here.now()
    }

    fn charge(&self, work: Duration) {
        self.here.charge(work);
    }

    fn reach(&self, owner: ProcessorId, request: usize, answer: usize) -> Duration {
        self.here.reach(owner, request, answer)
    }

    fn pass(&self, until: Duration) {
        self.here.pass(until);
    }

    fn neighbours(&self) -> Vec<ProcessorId> {
        self.here.neighbours()
    }
}

impl Table for Asking<'_> {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        self.table.probe(signature)
    }

    fn touch(&self, signature: Signature) {
        self.table.touch(signature);
    }

    fn touch_for(&self, signature: Signature, depth: u8) {
        let Some(home) = self.home(signature, depth) else { return self.table.touch(signature) };
        if self.question(signature, depth).is_none() && self.known(signature, depth).is_none() {
            self.ask(home, signature, depth);
        }
    }

    /// What is not known here is asked for, and not waited for: a search that looks at all moves of a node asks about
    /// all of them. Only who comes back waits.
    fn probe_for(&self, signature: Signature, depth: u8) -> Option<Entry> {
        let entry = self.table.probe(signature);
        let Some(home) = self.home(signature, depth) else { return entry };
        if entry.is_some_and(|entry| entry.depth >= depth) {
            return entry;
        }
        match self.question(signature, depth) {
            None => {
                self.ask(home, signature, depth);
                entry
            }
            Some(question) if question.is_open => {
                self.await_answer(question);
                self.table.probe(signature)
            }
            Some(_) => entry,
        }
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        if let Some(home) = self.home(signature, entry.depth) {
            let [content, marks] = entry.to_words();
            let count = {
                let entries = &mut self.outgoing.borrow_mut()[home].entries;
                entries.push([signature.0, content, marks]);
                entries.len()
            };
            if count >= self.thresholds.batch {
                self.send_entries(self.thresholds.batch);
            }
        }
        self.table.store(signature, entry)
    }

    fn hear(&self, signature: Signature, entry: Entry) {
        self.table.hear(signature, entry);
    }

    fn visit(&self, look: &mut dyn FnMut(Signature, Entry)) {
        self.table.visit(look);
    }

    fn time_spent(&self) -> Duration {
        self.spent.get()
    }

    fn next_generation(&self) {
        self.table.next_generation();
    }

    fn clear(&self) {
        self.table.clear();
    }

    fn full_per_mille(&self) -> u32 {
        self.table.full_per_mille()
    }

    fn capacity(&self) -> usize {
        self.table.capacity()
    }
}
