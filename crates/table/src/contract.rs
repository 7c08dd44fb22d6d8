//! What every table offers.

use std::time::Duration;

use game::Signature;

use crate::counters::Stored;
use crate::entry::Entry;

/// A memory of positions that may forget at any time. Where a table can be shared by threads, its methods may be
/// called by many searches at once.
pub trait Table {
    /// What is known of a position.
    fn probe(&self, signature: Signature) -> Option<Entry>;

    /// Brings near what is known of a position that will be asked about in a moment. A search that asks about several
    /// positions touches all of them first, and waits for memory once instead of every time.
    fn touch(&self, signature: Signature) {
        let _ = signature;
    }

    /// As [`Table::probe`], for a search to this depth. A table that belongs to several processors asks another one
    /// only where that pays.
    fn probe_for(&self, signature: Signature, depth: u8) -> Option<Entry> {
        let _ = depth;
        self.probe(signature)
    }

    /// As [`Table::touch`], for a search to this depth.
    fn touch_for(&self, signature: Signature, depth: u8) {
        let _ = depth;
        self.touch(signature);
    }

    /// So many positions are worth touching before the first of them is asked for; 0 where answers are not far.
    fn questions_ahead(&self) -> usize {
        0
    }

    /// Positions that are searched less deep are the business of one processor, where a table belongs to several.
    fn depth_shared(&self) -> u8 {
        0
    }

    /// Remembers an entry, or not, and says what happened. The entry's generation is filled in.
    fn store(&self, signature: Signature, entry: Entry) -> Stored;

    /// Takes in what another table has stored. Tables that keep no copies of others have no use for it.
    fn hear(&self, signature: Signature, entry: Entry) {
        let _ = (signature, entry);
    }

    /// Shows all entries, each with a signature that is as good as its own for tables of the same size; none if this
    /// table does not know them.
    fn visit(&self, look: &mut dyn FnMut(Signature, Entry)) {
        let _ = look;
    }

    /// Time that went into asking and telling other processors, as far as the table counts it.
    fn time_spent(&self) -> Duration {
        Duration::ZERO
    }

    /// What travelled between this processor and those that own other parts, as far as the table sees to it itself.
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }

    /// Says that a new search of a new position begins: what is there now is older.
    fn next_generation(&self);

    /// Forgets everything.
    fn clear(&self);

    /// How full the table is with entries of the present generation, in thousandths, from a sample.
    fn full_per_mille(&self) -> u32;

    /// Entries that fit.
    fn capacity(&self) -> usize;
}

/// How often a table has reached into the memory of other processors, and the bytes that travelled.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// Questions, each of which has one answer.
    pub questions: (u64, u64),
    /// Their answers.
    pub answers: (u64, u64),
    /// Entries that were sent to their owners.
    pub entries: (u64, u64),
}

/// A table that remembers nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoTable;

impl Table for NoTable {
    fn probe(&self, _: Signature) -> Option<Entry> {
        None
    }

    fn store(&self, _: Signature, _: Entry) -> Stored {
        Stored::Dropped
    }

    fn next_generation(&self) {}

    fn clear(&self) {}

    fn full_per_mille(&self) -> u32 {
        0
    }

    fn capacity(&self) -> usize {
        0
    }
}

impl<T: Table + ?Sized> Table for &T {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        (**self).probe(signature)
    }

    fn touch(&self, signature: Signature) {
        (**self).touch(signature);
    }

    fn probe_for(&self, signature: Signature, depth: u8) -> Option<Entry> {
        (**self).probe_for(signature, depth)
    }

    fn touch_for(&self, signature: Signature, depth: u8) {
        (**self).touch_for(signature, depth);
    }

    fn questions_ahead(&self) -> usize {
        (**self).questions_ahead()
    }

    fn depth_shared(&self) -> u8 {
        (**self).depth_shared()
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        (**self).store(signature, entry)
    }

    fn hear(&self, signature: Signature, entry: Entry) {
        (**self).hear(signature, entry);
    }

    fn visit(&self, look: &mut dyn FnMut(Signature, Entry)) {
        (**self).visit(look);
    }

    fn time_spent(&self) -> Duration {
        (**self).time_spent()
    }

    fn traffic(&self) -> Traffic {
        (**self).traffic()
    }

    fn next_generation(&self) {
        (**self).next_generation();
    }

    fn clear(&self) {
        (**self).clear();
    }

    fn full_per_mille(&self) -> u32 {
        (**self).full_per_mille()
    }

    fn capacity(&self) -> usize {
        (**self).capacity()
    }
}
