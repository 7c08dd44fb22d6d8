//! Tables of several processors: in parts, or each with the whole.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use fabric::{Processor, ProcessorId};
use game::Signature;
use table::{Entry, Stored, Table, Traffic};

use crate::stealing::Message;

/// Bytes of a question, an answer, and an entry on its way.
const QUESTION_BYTES: usize = 20;
const ANSWER_BYTES: usize = 20;
const ENTRY_BYTES: usize = 24;

/// The part of a table that a position belongs to. The highest bits choose the place within a part, the lowest the
/// part.
pub(crate) fn part_of(signature: Signature, parts: usize) -> usize {
    let low = u64::from(signature.0 as u32);
    ((low * parts as u64) >> 32) as usize
}

fn count(messages: &mut (u64, u64), bytes: usize) {
    *messages = (messages.0 + 1, messages.1 + bytes as u64);
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
    /// The last question, and when its answer is there.
    asked: Cell<(Signature, Duration)>,
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
        let (asked, spent, traffic) = (Cell::default(), Cell::default(), Cell::default());
        Partitioned { here, parts, near, depth_min, prefetch: true, asked, spent, traffic }
    }

    /// The same, which asks others ahead or not.
    #[must_use]
    pub fn with_prefetch(self, prefetch: bool) -> Partitioned<'run, T> {
        Partitioned { prefetch, ..self }
    }

    /// Asks the owner.
    fn ask(&self, signature: Signature) {
        let owner = self.owner(signature);
        let there = self.timed(|| self.here.reach(owner, QUESTION_BYTES, ANSWER_BYTES));
        self.asked.set((signature, there));
        let mut traffic = self.traffic.get();
        count(&mut traffic.questions, QUESTION_BYTES);
        count(&mut traffic.answers, ANSWER_BYTES);
        self.traffic.set(traffic);
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
        if self.prefetch && self.is_far(signature) {
            self.ask(signature);
        }
    }

    fn probe(&self, signature: Signature) -> Option<Entry> {
        if self.is_far(signature) {
            if self.asked.get().0 != signature {
                self.ask(signature);
            }
            self.timed(|| self.here.pass(self.asked.get().1));
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
        if owner != self.here.id() {
            self.near.store(signature, entry);
            self.timed(|| self.here.reach(owner, ENTRY_BYTES, 0));
            let mut traffic = self.traffic.get();
            count(&mut traffic.entries, ENTRY_BYTES);
            self.traffic.set(traffic);
        }
        self.parts[owner.index()].store(signature, entry)
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
