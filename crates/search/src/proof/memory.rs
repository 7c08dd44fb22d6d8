//! The table of depth-first proof-number search.

use game::Signature;

/// Proof and disproof number as the mover sees them: `phi` to show that the mover gets what it wants, `delta`
/// that the opponent does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) phi: u32,
    pub(crate) delta: u32,
}

impl Numbers {
    /// No finite number of leaves would do.
    pub(crate) const INFINITE: u32 = u32::MAX / 4;
    /// The mover gets what it wants.
    pub(crate) const SHOWN: Numbers = Numbers { phi: 0, delta: Numbers::INFINITE };
    /// The opponent gets what it wants.
    pub(crate) const REFUTED: Numbers = Numbers { phi: Numbers::INFINITE, delta: 0 };
    /// Nothing is known.
    pub(crate) const UNKNOWN: Numbers = Numbers { phi: 1, delta: 1 };

    pub(crate) fn decided(wanted: bool) -> Numbers {
        if wanted { Numbers::SHOWN } else { Numbers::REFUTED }
    }

    pub(crate) fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// Where a search keeps what it knows of positions, alone or with others.
pub(crate) trait Store {
    fn get(&self, key: Signature) -> Option<Numbers>;

    fn put(&mut self, key: Signature, numbers: Numbers, work: u64);

    /// The search goes on to a position.
    fn enter(&mut self, key: Signature) {
        let _ = key;
    }

    /// It comes back from there.
    fn leave(&mut self, key: Signature) {
        let _ = key;
    }

    /// The numbers of a position as a search sees them that others may be ahead of.
    fn deterred(&self, key: Signature, numbers: Numbers) -> Numbers {
        let _ = key;
        numbers
    }

    /// Whether others have come to an end.
    fn is_over(&self) -> bool {
        false
    }
}

/// What is known of one position, in numbers that are 0 where nothing is: the system gives out zeros page by page, so a
/// large table costs no more than what is used of it.
type Slot = [u32; 6];

const PHI: usize = 2;
const DELTA: usize = 3;
const WORK: usize = 4;
const USED: usize = 5;

const WAYS: usize = 4;

/// Whether a slot is about this position.
fn is_of(slot: &Slot, key: Signature) -> bool {
    slot[USED] != 0 && [slot[0], slot[1]] == halves(key)
}

fn halves(key: Signature) -> [u32; 2] {
    [key.0 as u32, (key.0 >> 32) as u32]
}

/// What is known of positions; the work that went into an entry makes it stay.
pub(crate) struct Memory {
    slots: Vec<Slot>,
}

impl Memory {
    pub(crate) fn new(bytes: usize) -> Memory {
        let buckets = (bytes / size_of::<Slot>() / WAYS).max(1);
        Memory { slots: vec![[0; 6]; buckets * WAYS] }
    }

    fn bucket(&self, key: Signature) -> std::ops::Range<usize> {
        let buckets = self.slots.len() / WAYS;
        let first = ((u128::from(key.0) * buckets as u128) >> 64) as usize * WAYS;
        first..first + WAYS
    }
}

impl Store for Memory {
    fn get(&self, key: Signature) -> Option<Numbers> {
        let slot = self.slots[self.bucket(key)].iter().find(|slot| is_of(slot, key))?;
        Some(Numbers { phi: slot[PHI], delta: slot[DELTA] })
    }

    fn put(&mut self, key: Signature, numbers: Numbers, work: u64) {
        let range = self.bucket(key);
        let bucket = &mut self.slots[range];
        let own = bucket.iter().position(|slot| is_of(slot, key));
        // Among equals in work, what is decided stays.
        let worth = |slot: &Slot| (slot[USED], slot[WORK], u32::from(slot[PHI] == 0 || slot[DELTA] == 0));
        let least = (0..WAYS).min_by_key(|&way| worth(&bucket[way])).unwrap_or(0);
        let way = own.unwrap_or(least);
        let before = if own.is_some() { u64::from(bucket[way][WORK]) } else { 0 };
        let work = (before + work).min(u64::from(u32::MAX)) as u32;
        let [low, high] = halves(key);
        bucket[way] = [low, high, numbers.phi, numbers.delta, work, 1];
    }
}
