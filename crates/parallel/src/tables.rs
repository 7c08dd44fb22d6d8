//! Tables of several processors: in parts, or each with the whole.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use fabric::{Processor, ProcessorId};
use game::Signature;
use table::{Bucketed, Entry, Stored, Table};

use crate::stealing::Message;

/// Bytes of a question, an answer, and an entry on its way.
const QUESTION_BYTES: usize = 20;
const ANSWER_BYTES: usize = 20;
const ENTRY_BYTES: usize = 24;

/// A table whose parts belong to different processors. What a position is worth is asked of the owner before the position is made,
/// and the answer is there, or nearly, when it is needed; entries are sent and forgotten.
pub struct Partitioned<'run> {
    here: &'run dyn Processor,
    parts: &'run [Bucketed],
    /// The last question, and when its answer is there.
    asked: Cell<(Signature, Duration)>,
}

impl<'run> Partitioned<'run> {
    /// The table as one processor sees it: a part for each processor.
    #[must_use]
    pub fn new(here: &'run dyn Processor, parts: &'run [Bucketed]) -> Partitioned<'run> {
        Partitioned { here, parts, asked: Cell::default() }
    }

    fn owner(&self, signature: Signature) -> ProcessorId {
        // The highest bits choose the place within a part.
        let low = u64::from(signature.0 as u32);
        ProcessorId(((low * self.parts.len() as u64) >> 32) as u32)
    }

    fn own(&self) -> &Bucketed {
        &self.parts[self.here.id().index()]
    }
}

impl Table for Partitioned<'_> {
    fn touch(&self, signature: Signature) {
        let owner = self.owner(signature);
        if owner != self.here.id() {
            self.asked.set((signature, self.here.reach(owner, QUESTION_BYTES, ANSWER_BYTES)));
        }
    }

    fn probe(&self, signature: Signature) -> Option<Entry> {
        let owner = self.owner(signature);
        if owner != self.here.id() {
            if self.asked.get().0 != signature {
                self.touch(signature);
            }
            self.here.pass(self.asked.get().1);
        }
        self.parts[owner.index()].probe(signature)
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        let owner = self.owner(signature);
        if owner != self.here.id() {
            self.here.reach(owner, ENTRY_BYTES, 0);
        }
        self.parts[owner.index()].store(signature, entry)
    }

    fn next_generation(&self) {
        self.own().next_generation();
    }

    fn clear(&self) {
        self.own().clear();
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
