//! Tables of several processors: in parts, or each with the whole.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use fabric::{Processor, ProcessorId};
use game::Signature;
use table::{Entry, Stored, Table, Traffic};

use crate::stealing::Message;

/// Bytes of a question, an answer, and an entry on its way.
const QUESTION_BYTES: usize = 20;
const ANSWER_BYTES: usize = 20;
const ENTRY_BYTES: usize = 24;

/// Children of a node that are asked about before the first answer is looked at, at most.
pub const AHEAD_MAX: usize = 8;

/// Questions that are remembered: those about children, and others that were not answered.
const QUESTIONS: usize = 2 * AHEAD_MAX;

/// So many messages may be in the making at a time; when more entries wait, the oldest message leaves as it is.
const MESSAGES_IN_THE_MAKING: usize = 8;

/// The part of a table that a position belongs to. The highest bits choose the place within a part, the lowest the
/// part.
pub(crate) fn part_of(signature: Signature, parts: usize) -> usize {
    let low = u64::from(signature.0 as u32);
    ((low * parts as u64) >> 32) as usize
}

fn count(messages: &mut (u64, u64), bytes: usize) {
    *messages = (messages.0 + 1, messages.1 + bytes as u64);
}

/// Entries that wait for others that go the same way.
struct Untold {
    /// By owner.
    lists: Vec<Vec<(Signature, Entry)>>,
    /// Owners of lists that are not empty, the oldest first.
    order: VecDeque<usize>,
    waiting: usize,
    /// So many entries make a message.
    batch: usize,
}

impl Untold {
    fn new(owners: usize, batch: usize) -> Untold {
        let lists = if batch > 1 { vec![Vec::new(); owners] } else { Vec::new() };
        Untold { lists, order: VecDeque::new(), waiting: 0, batch }
    }

    /// Adds an entry; the message that is to leave now, if there is one.
    fn add(&mut self, owner: usize, entry: (Signature, Entry)) -> Option<(usize, Vec<(Signature, Entry)>)> {
        if self.batch <= 1 {
            return Some((owner, vec![entry]));
        }
        if self.lists[owner].is_empty() {
            self.order.push_back(owner);
        }
        self.lists[owner].push(entry);
        self.waiting += 1;
        let leaves = if self.lists[owner].len() >= self.batch {
            self.order.retain(|other| *other != owner);
            Some(owner)
        } else if self.waiting > self.batch * MESSAGES_IN_THE_MAKING {
            self.order.pop_front()
        } else {
            None
        }?;
        let entries = std::mem::take(&mut self.lists[leaves]);
        self.waiting -= entries.len();
        Some((leaves, entries))
    }

    fn clear(&mut self) {
        *self = Untold::new(self.lists.len(), self.batch);
    }
}

/// A table whose parts belong to different processors. What a position is worth is asked of the owner before the
/// position is made, and the answer is there, or nearly, when it is needed; entries are sent and forgotten.
///
/// What little searches find out stays with the processor that found it, in a small table of its own. That table also
/// keeps what was asked of others: the next question is then answered at once.
pub struct Partitioned<'run, T> {
    here: &'run dyn Processor,
    parts: &'run [T],
    /// What this processor keeps for itself.
    near: &'run T,
    /// Searches of less depth neither ask nor tell others.
    depth_min: u8,
    /// Whether a question is asked before its answer is needed.
    prefetch: bool,
    /// So many questions about children are asked before the first answer is looked at.
    ahead: usize,
    /// The last questions, and when their answers are there; where the next one is written down.
    asked: [Cell<(Signature, Duration)>; QUESTIONS],
    next: Cell<usize>,
    /// Entries that their owners do not know of yet.
    untold: RefCell<Untold>,
    spent: Cell<Duration>,
    traffic: Cell<Traffic>,
}

impl<'run, T: Table> Partitioned<'run, T> {
    /// The table as one processor sees it: a part for each processor, and a small table of its own.
    #[must_use]
    pub fn new(
        here: &'run dyn Processor,
        parts: &'run [T],
        near: &'run T,
        depth_min: u8,
    ) -> Partitioned<'run, T> {
        Partitioned {
            here,
            parts,
            near,
            depth_min,
            prefetch: true,
            ahead: 0,
            asked: Default::default(),
            next: Cell::default(),
            untold: RefCell::new(Untold::new(parts.len(), 1)),
            spent: Cell::default(),
            traffic: Cell::default(),
        }
    }

    /// The same, which asks about so many children of a node before it looks at the first answer.
    #[must_use]
    pub fn with_ahead(self, ahead: usize) -> Partitioned<'run, T> {
        Partitioned { ahead: ahead.min(AHEAD_MAX), ..self }
    }

    /// The same, which sends so many entries for one owner in a message.
    #[must_use]
    pub fn with_batch(self, batch: usize) -> Partitioned<'run, T> {
        Partitioned { untold: RefCell::new(Untold::new(self.parts.len(), batch)), ..self }
    }

    /// The same, which asks others ahead or not.
    #[must_use]
    pub fn with_prefetch(self, prefetch: bool) -> Partitioned<'run, T> {
        Partitioned { prefetch, ..self }
    }

    /// Asks the owner; says when the answer is there.
    fn ask(&self, signature: Signature) -> Duration {
        let owner = self.owner(signature);
        let there = self.timed(|| self.here.reach(owner, QUESTION_BYTES, ANSWER_BYTES));
        let mut traffic = self.traffic.get();
        count(&mut traffic.questions, QUESTION_BYTES);
        count(&mut traffic.answers, ANSWER_BYTES);
        self.traffic.set(traffic);
        there
    }

    /// The question about a position that was asked a moment ago, and not answered yet.
    fn question(&self, signature: Signature) -> Option<&Cell<(Signature, Duration)>> {
        self.asked.iter().find(|asked| asked.get().0 == signature)
    }

    /// Tells an owner what was found out about its positions.
    fn tell(&self, owner: usize, entries: &[(Signature, Entry)]) {
        let bytes = entries.len() * ENTRY_BYTES;
        self.timed(|| self.here.reach(ProcessorId(owner as u32), bytes, 0));
        let mut traffic = self.traffic.get();
        count(&mut traffic.entries, bytes);
        self.traffic.set(traffic);
        for (signature, entry) in entries {
            self.parts[owner].store(*signature, *entry);
        }
    }

    fn owner(&self, signature: Signature) -> ProcessorId {
        ProcessorId(part_of(signature, self.parts.len()) as u32)
    }

    fn own(&self) -> &T {
        &self.parts[self.here.id().index()]
    }

    /// What is known here of a position whose owner is another, if that is enough for a search to this depth.
    fn known_here(&self, signature: Signature, depth: u8) -> Option<Entry> {
        self.near.probe(signature).filter(|entry| entry.depth == depth)
    }

    /// Does something with other processors, and counts the time.
    fn timed<R>(&self, work: impl FnOnce() -> R) -> R {
        let began = self.here.now();
        let result = work();
        self.spent.set(self.spent.get() + self.here.now().saturating_sub(began));
        result
    }

    fn is_far(&self, signature: Signature) -> bool {
        self.owner(signature) != self.here.id()
    }
}

impl<T: Table> Table for Partitioned<'_, T> {
    fn touch(&self, signature: Signature) {
        if self.prefetch && self.is_far(signature) && self.question(signature).is_none() {
            let there = self.ask(signature);
            let next = self.next.get();
            self.asked[next].set((signature, there));
            self.next.set((next + 1) % QUESTIONS);
        }
    }

    fn questions_ahead(&self) -> usize {
        if self.prefetch { self.ahead } else { 0 }
    }

    fn probe(&self, signature: Signature) -> Option<Entry> {
        if self.is_far(signature) {
            let asked = self.question(signature).map(Cell::take);
            let there = asked.map_or_else(|| self.ask(signature), |(_, there)| there);
            self.timed(|| self.here.pass(there));
        }
        self.parts[self.owner(signature).index()].probe(signature)
    }

    fn touch_for(&self, signature: Signature, depth: u8) {
        if depth >= self.depth_min && self.is_far(signature) && self.known_here(signature, depth).is_none() {
            self.touch(signature);
        }
    }

    fn probe_for(&self, signature: Signature, depth: u8) -> Option<Entry> {
        if depth < self.depth_min {
            return self.near.probe(signature);
        }
        if !self.is_far(signature) {
            return self.own().probe(signature);
        }
        self.known_here(signature, depth).or_else(|| {
            let entry = self.probe(signature)?;
            self.near.store(signature, entry);
            Some(entry)
        })
    }

    fn depth_shared(&self) -> u8 {
        self.depth_min
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        if entry.depth < self.depth_min {
            return self.near.store(signature, entry);
        }
        let owner = self.owner(signature);
        if owner == self.here.id() {
            return self.own().store(signature, entry);
        }
        let stored = self.near.store(signature, entry);
        let ready = self.untold.borrow_mut().add(owner.index(), (signature, entry));
        if let Some((owner, entries)) = ready {
            self.tell(owner, &entries);
        }
        stored
    }

    fn time_spent(&self) -> Duration {
        self.spent.get()
    }

    fn traffic(&self) -> Traffic {
        self.traffic.get()
    }

    fn next_generation(&self) {
        self.own().next_generation();
        self.near.next_generation();
    }

    fn clear(&self) {
        self.untold.borrow_mut().clear();
        self.own().clear();
        self.near.clear();
    }

    fn full_per_mille(&self) -> u32 {
        self.own().full_per_mille()
    }

    fn capacity(&self) -> usize {
        self.parts.iter().map(Table::capacity).sum()
    }
}

/// A table that every processor has for itself. What is worth it is told to all others, many entries in a message.
pub struct Replicated<'run> {
    here: &'run dyn Processor,
    own: &'run dyn Table,
    /// Who is told.
    others: Vec<ProcessorId>,
    /// Entries that they do not know of yet.
    untold: RefCell<Vec<[u64; 3]>>,
    /// Entries of less depth are kept.
    depth_min: u8,
    /// So many entries make a message.
    batch: usize,
}

impl<'run> Replicated<'run> {
    /// The table as one processor sees it.
    #[must_use]
    pub fn new(
        here: &'run dyn Processor,
        own: &'run dyn Table,
        others: Vec<ProcessorId>,
        depth_min: u8,
        batch: usize,
    ) -> Replicated<'run> {
        Replicated { here, own, others, untold: RefCell::default(), depth_min, batch: batch.max(1) }
    }

    fn tell(&self) {
        let entries = std::mem::take(&mut *self.untold.borrow_mut());
        let bytes = Message::Entries(entries).to_bytes();
        self.others.iter().for_each(|&other| self.here.send(other, bytes.clone()));
    }
}

impl Table for Replicated<'_> {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        self.own.probe(signature)
    }

    fn touch(&self, signature: Signature) {
        self.own.touch(signature);
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        if entry.depth >= self.depth_min && !self.others.is_empty() {
            let [content, marks] = entry.to_words();
            self.untold.borrow_mut().push([signature.0, content, marks]);
            if self.untold.borrow().len() >= self.batch {
                self.tell();
            }
        }
        self.own.store(signature, entry)
    }

    fn hear(&self, signature: Signature, entry: Entry) {
        self.own.store(signature, entry);
    }

    fn visit(&self, look: &mut dyn FnMut(Signature, Entry)) {
        self.own.visit(look);
    }

    fn next_generation(&self) {
        self.own.next_generation();
    }

    fn clear(&self) {
        self.own.clear();
    }

    fn full_per_mille(&self) -> u32 {
        self.own.full_per_mille()
    }

    fn capacity(&self) -> usize {
        self.own.capacity()
    }
}
