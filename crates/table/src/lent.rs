//! A table in memory that belongs to others, such as what several processes share.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use game::Signature;

use crate::bucketed::{self, Bucket, WAYS};
use crate::contract::Table;
use crate::counters::Stored;
use crate::entry::Entry;
use crate::replacement::Replacement;
use crate::room;
use crate::slot::Slot;

/// A table of buckets in words that were lent. All 0 is an empty table. Each who uses the words has a generation of
/// its own, and begins new ones when the others do.
#[derive(Debug)]
pub struct Lent<'memory> {
    buckets: &'memory [Bucket],
    replacement: Replacement,
    generation: AtomicU8,
}

impl<'memory> Lent<'memory> {
    /// A table of so many entries in these words; `None` if they are too few. Whole buckets may begin some words
    /// after the first: [`Lent::words`] says how many words are always enough.
    ///
    /// All that share the words see the same table, because memory that is shared begins at a page in every process.
    #[must_use]
    pub fn new(
        words: &'memory [AtomicU64],
        capacity: usize,
        replacement: Replacement,
    ) -> Option<Lent<'memory>> {
        // SAFETY: a bucket is made of slots, and a slot of two such words, whatever they hold; nothing else is in it.
        #[allow(unsafe_code)]
        let (_, buckets, _) = unsafe { words.align_to::<Bucket>() };
        // No more than asked for: signatures of entries mean something for tables of the same size only.
        let buckets = buckets.get(..capacity / WAYS).filter(|buckets| !buckets.is_empty())?;
        Some(Lent { buckets, replacement, generation: AtomicU8::new(0) })
    }

    /// Words for a table of so many entries, wherever they begin.
    #[must_use]
    pub fn words(capacity: usize) -> usize {
        let words_of = |bytes: usize| bytes.div_ceil(size_of::<AtomicU64>());
        words_of(capacity * size_of::<Slot>()) + words_of(size_of::<Bucket>())
    }

    /// All entries, as [`crate::Bucketed::entries`] has them.
    pub fn entries(&self) -> impl Iterator<Item = (Signature, Entry)> {
        bucketed::entries(self.buckets)
    }
}

/// Memory for several tables of one size. The system gives out its pages when they are first used: thousands of tables
/// that stay nearly empty cost nearly nothing.
#[derive(Debug)]
pub struct Memory {
    words: Box<[AtomicU64]>,
    /// Entries of each table.
    capacity: usize,
}

impl Memory {
    /// Room for so many tables of so many bytes, each of at least one bucket.
    #[must_use]
    pub fn new(tables: usize, bytes: usize) -> Memory {
        let capacity = (bytes / size_of::<Bucket>()).max(1) * WAYS;
        Memory { words: room::words(tables * Lent::words(capacity)), capacity }
    }

    /// The tables, empty at first.
    #[must_use]
    pub fn tables(&self, replacement: Replacement) -> Vec<Lent<'_>> {
        let chunks = self.words.chunks_exact(Lent::words(self.capacity));
        chunks.filter_map(|words| Lent::new(words, self.capacity, replacement)).collect()
    }
}

impl Table for Lent<'_> {
    fn probe(&self, signature: Signature) -> Option<Entry> {
        bucketed::probe(self.buckets, signature)
    }

    fn touch(&self, signature: Signature) {
        bucketed::touch(self.buckets, signature);
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        let generation = self.generation.load(Ordering::Relaxed);
        bucketed::store(self.buckets, self.replacement, generation, signature, entry)
    }

    fn visit(&self, look: &mut dyn FnMut(Signature, Entry)) {
        self.entries().for_each(|(signature, entry)| look(signature, entry));
    }

    fn next_generation(&self) {
        bucketed::advance(&self.generation);
    }

    fn clear(&self) {
        self.buckets.iter().flat_map(|bucket| &bucket.0).for_each(Slot::clear);
    }

    fn full_per_mille(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        bucketed::full(self.buckets.iter().take(250).flat_map(|bucket| &bucket.0), generation)
    }

    fn capacity(&self) -> usize {
        self.buckets.len() * WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Bucketed};

    #[test]
    fn entries_go_from_table_to_table() {
        let own = Bucketed::with_bytes(1024 * 64, Replacement::Age);
        let words: Vec<AtomicU64> = (0..Lent::words(own.capacity())).map(|_| AtomicU64::new(0)).collect();
        let lent = Lent::new(&words, own.capacity(), Replacement::Age).expect("words enough");
        assert_eq!(own.capacity(), lent.capacity());
        let mut random = 1_u64;
        let signatures: Vec<Signature> = (0..500)
            .map(|_| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                Signature(random ^ random >> 31)
            })
            .collect();
        for (depth, &signature) in signatures.iter().enumerate() {
            let entry = Entry {
                score: depth as i32,
                bound: Bound::Lower,
                depth: depth as u8,
                best: None,
                effort: 1,
                generation: 0,
            };
            own.store(signature, entry);
        }
        own.entries().for_each(|(signature, entry)| {
            lent.store(signature, entry);
        });
        for &signature in &signatures {
            assert_eq!(lent.probe(signature), own.probe(signature));
        }
        assert_eq!(lent.entries().count(), own.entries().count());
        assert!(Lent::new(&words[..3], own.capacity(), Replacement::Age).is_none());
        assert!(Lent::new(&words, 0, Replacement::Age).is_none());
    }
}
