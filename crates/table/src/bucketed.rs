//! Four entries to a bucket, and a bucket to a cache line: one access to memory sees all four.

use std::sync::atomic::{AtomicU8, Ordering};

use game::Signature;

use crate::contract::Table;
use crate::counters::Stored;
use crate::entry::Entry;
use crate::replacement::{Replacement, merged};
use crate::room::fresh;
use crate::slot::{Found, Slot};

/// Entries of a bucket.
pub const WAYS: usize = 4;

#[derive(Default, Debug)]
#[repr(align(64))]
pub(crate) struct Bucket(pub(crate) [Slot; WAYS]);

/// A table of buckets. The new entry always finds a place: that of the least worthy one.
#[derive(Debug)]
pub struct Bucketed {
    buckets: Box<[Bucket]>,
    replacement: Replacement,
    /// Written by the thread that begins a search, read at every store; a store that sees an old value only mislabels
    /// an entry's age, so relaxed order suffices.
    generation: AtomicU8,
}

impl Bucketed {
    /// A table of this size, at least one bucket.
    #[must_use]
    pub fn new(size_mib: usize, replacement: Replacement) -> Bucketed {
        Bucketed::with_bytes(size_mib << 20, replacement)
    }

    /// A table of this many bytes, at least one bucket.
    #[must_use]
    pub fn with_bytes(bytes: usize, replacement: Replacement) -> Bucketed {
        let count = (bytes / size_of::<Bucket>()).max(1);
        Bucketed { buckets: fresh(count), replacement, generation: AtomicU8::new(0) }
    }

    /// All entries, each with a signature that is as good as its own for tables of the same size.
    pub fn entries(&self) -> impl Iterator<Item = (Signature, Entry)> {
        entries(&self.buckets)
    }

    pub(crate) fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }
}

fn bucket(buckets: &[Bucket], signature: Signature) -> &[Slot; WAYS] {
    &buckets[index(signature, buckets.len())].0
}

pub(crate) fn probe(buckets: &[Bucket], signature: Signature) -> Option<Entry> {
    bucket(buckets, signature).iter().find_map(|slot| slot.read_of(signature))
}

#[inline]
pub(crate) fn touch(buckets: &[Bucket], signature: Signature) {
    bucket(buckets, signature)[0].touch();
}

/// Puts an entry of this generation in its place, if it is worth it.
pub(crate) fn store(
    buckets: &[Bucket],
    replacement: Replacement,
    generation: u8,
    signature: Signature,
    entry: Entry,
) -> Stored {
    let entry = Entry { generation, ..entry };
    let bucket = bucket(buckets, signature);
    let found: [Option<Found>; WAYS] = std::array::from_fn(|way| bucket[way].read());
    let own = found.iter().position(|found| found.is_some_and(|found| found.is_of(signature)));
    if let Some((way, old)) = own.and_then(|way| Some((way, found[way]?))) {
        return match merged(&old.entry, entry, generation) {
            Some(entry) => {
                bucket[way].write(signature, &entry);
                Stored::Updated
            }
            None => Stored::Dropped,
        };
    }
    // An empty slot is worth less than any entry: `None` comes before `Some`.
    let worth = |way: usize| found[way].map(|found| replacement.worth(&found.entry, generation));
    let victim = (0..WAYS).min_by_key(|&way| worth(way)).unwrap_or(0);
    bucket[victim].write(signature, &entry);
    if found[victim].is_some() { Stored::Replaced } else { Stored::Fresh }
}

/// Bits of a signature above those that a slot keeps.
const PLACE_BITS: u32 = 16;

/// All entries. Of the bits that a slot does not keep, those are taken that lead to its bucket.
pub(crate) fn entries(buckets: &[Bucket]) -> impl Iterator<Item = (Signature, Entry)> {
    let count = buckets.len();
    buckets.iter().enumerate().flat_map(move |(place, bucket)| {
        let first = ((place as u128) << PLACE_BITS) / count as u128;
        bucket.0.iter().filter_map(Slot::read).filter_map(move |found| {
            let candidates = (first as u64..1 << PLACE_BITS).take(3);
            let signatures = candidates.map(|top| Signature(top << (64 - PLACE_BITS) | found.check));
            let mut of_this = signatures.filter(|&signature| index(signature, count) == place);
            of_this.next().map(|signature| (signature, found.entry))
        })
    })
}

/// The place of a signature among so many, by its highest bits.
pub(crate) fn index(signature: Signature, count: usize) -> usize {
    ((u128::from(signature.0) * count as u128) >> 64) as usize
}

/// The next generation, modulo [`Entry::GENERATIONS`].
pub(crate) fn advance(generation: &AtomicU8) {
    let next = (generation.load(Ordering::Relaxed) + 1) % Entry::GENERATIONS;
    generation.store(next, Ordering::Relaxed);
}

/// Thousandths of these slots that hold an entry of this generation.
pub(crate) fn full<'slots>(slots: impl Iterator<Item = &'slots Slot>, generation: u8) -> u32 {
    let (mut seen, mut used) = (0, 0);
    for slot in slots {
        seen += 1;
        used += u32::from(slot.read().is_some_and(|found| found.entry.age(generation) == 0));
    }
    1000 * used / u32::max(seen, 1)
}

impl Table for Bucketed {
    #[inline]
    fn touch(&self, signature: Signature) {
        touch(&self.buckets, signature);
    }

    fn probe(&self, signature: Signature) -> Option<Entry> {
        probe(&self.buckets, signature)
    }

    fn store(&self, signature: Signature, entry: Entry) -> Stored {
        store(&self.buckets, self.replacement, self.generation(), signature, entry)
    }

    fn visit(&self, look: &mut dyn FnMut(Signature, Entry)) {
        self.entries().for_each(|(signature, entry)| look(signature, entry));
    }

    fn next_generation(&self) {
        advance(&self.generation);
    }

    fn clear(&self) {
        self.buckets.iter().flat_map(|bucket| &bucket.0).for_each(Slot::clear);
        self.generation.store(0, Ordering::Relaxed);
    }

    fn full_per_mille(&self) -> u32 {
        full(self.buckets.iter().take(250).flat_map(|bucket| &bucket.0), self.generation())
    }

    fn capacity(&self) -> usize {
        self.buckets.len() * WAYS
    }
}
