//! One table for all processes of a host, in memory that they share: a look-up is a plain read, whichever process
//! brought the memory.

use std::rc::Rc;

use fabric::cluster::{Cluster, Shared};
use game::Signature;
use table::{Entry, Lent, Replacement, Stored, Table};

use crate::tables::part_of;

/// The parts that the processes of this host have brought.
pub(crate) struct HostTable<'run> {
    parts: Vec<Lent<'run>>,
}

/// Memory for a part that holds so many entries and for so many more words, shared with the other processes of the
/// host. Called together by all processes; `None` for all of them if a host has too little room.
pub(crate) fn share(cluster: &Rc<Cluster>, entries: usize, more: usize) -> Option<Shared> {
    cluster.share(words(entries) + more).ok()
}

/// Where the words begin that a part with so many entries does not take.
pub(crate) fn words(entries: usize) -> usize {
    Lent::words(entries)
}

/// Tells one table what another knows.
pub(crate) fn pour(from: &dyn Table, into: &dyn Table) {
    from.visit(&mut |signature, entry| {
        into.store(signature, entry);
    });
}

impl<'run> HostTable<'run> {
    /// The table in this memory, with so many entries in each part, for the search with this number: what earlier
    /// ones have left makes room first.
    pub(crate) fn new(memory: &'run Shared, entries: usize, search: usize) -> HostTable<'run> {
        let segments = memory.segments().iter().flatten();
        let parts = segments.filter_map(|words| Lent::new(words, entries, Replacement::Age));
        let table = HostTable { parts: parts.collect() };
        (0..search % usize::from(Entry::GENERATIONS)).for_each(|_| table.next_generation());
        table
    }

    fn part(&self, signature: Signature) -> &Lent<'run> {
        &self.parts[part_of(signature, self.parts.len())]
    }
}

impl Table for HostTable<'_> {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        self.part(signature).probe(signature)
    }

    fn touch(&self, signature: Signature) {
        self.part(signature).touch(signature);
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        self.part(signature).store(signature, entry)
    }

    fn visit(&self, look: &mut dyn FnMut(Signature, Entry)) {
        self.parts.iter().for_each(|part| part.visit(look));
    }

    fn next_generation(&self) {
        self.parts.iter().for_each(Table::next_generation);
    }

    fn clear(&self) {
        self.parts.iter().for_each(Table::clear);
    }

    fn full_per_mille(&self) -> u32 {
        self.parts.first().map_or(0, Table::full_per_mille)
    }

    fn capacity(&self) -> usize {
        self.parts.iter().map(Table::capacity).sum()
    }
}
