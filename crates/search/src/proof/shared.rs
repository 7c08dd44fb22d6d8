//! The table of depth-first proof-number searches that work on one claim together.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use game::Signature;

use super::memory::{Memory, Numbers, Store};

/// Parts with a lock of their own.
const PARTS: usize = 256;
/// Places where is counted who works where; positions that share one are in each other's way, and nothing worse.
const PLACES: usize = 1 << 14;
/// How much harder a position looks for each other search that works on it, as a part of its number (Kaneko's virtual
/// proof numbers).
const DETERRENCE: u32 = 4;

/// What several searches know of positions, who works where, and what came out.
pub struct SharedMemory {
    parts: Vec<Mutex<Memory>>,
    visitors: Vec<AtomicU16>,
    is_over: AtomicBool,
    answer: Mutex<Option<Numbers>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedMemory {
    /// Memory of so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> SharedMemory {
        SharedMemory {
            parts: (0..PARTS).map(|_| Mutex::new(Memory::new(bytes / PARTS))).collect(),
            visitors: (0..PLACES).map(|_| AtomicU16::new(0)).collect(),
            is_over: AtomicBool::new(false),
            answer: Mutex::new(None),
        }
    }

    /// The search is over.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// A searcher knows the numbers of the root; they count if they decide something.
    pub(super) fn settle(&self, numbers: Numbers) {
        if numbers.is_decided() {
            locked(&self.answer).get_or_insert(numbers);
            self.end();
        }
    }

    /// The numbers of the root, if they decide something.
    pub(super) fn answer(&self) -> Option<Numbers> {
        *locked(&self.answer)
    }

    // The highest bits choose the place within a part.
    fn part(&self, key: Signature) -> &Mutex<Memory> {
        &self.parts[key.0 as usize % PARTS]
    }

    fn place(&self, key: Signature) -> &AtomicU16 {
        &self.visitors[(key.0 >> 16) as usize % PLACES]
    }
}

impl Store for &SharedMemory {
    fn get(&self, key: Signature) -> Option<Numbers> {
        locked(self.part(key)).get(key)
    }

    fn put(&mut self, key: Signature, numbers: Numbers, work: u64) {
        locked(self.part(key)).put(key, numbers, work);
    }

    fn enter(&mut self, key: Signature) {
        self.place(key).fetch_add(1, Ordering::Relaxed);
    }

    fn leave(&mut self, key: Signature) {
        self.place(key).fetch_sub(1, Ordering::Relaxed);
    }

    fn deterred(&self, key: Signature, numbers: Numbers) -> Numbers {
        let others = u32::from(self.place(key).load(Ordering::Relaxed));
        if others == 0 || numbers.is_decided() {
            return numbers;
        }
        let more = others.saturating_mul(1 + numbers.delta / DETERRENCE);
        Numbers { delta: numbers.delta.saturating_add(more).min(Numbers::INFINITE - 1), ..numbers }
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_where_others_work_look_harder_and_what_is_decided_does_not() {
        let memory = SharedMemory::new(1 << 20);
        let mut store = &memory;
        let key = Signature(0x1234_5678_9abc_def0);
        store.put(key, Numbers { phi: 3, delta: 8 }, 1);
        assert_eq!(store.get(key), Some(Numbers { phi: 3, delta: 8 }));
        store.enter(key);
        let seen = |numbers| store.deterred(key, numbers);
        assert_eq!(seen(Numbers { phi: 3, delta: 8 }), Numbers { phi: 3, delta: 11 });
        assert_eq!((seen(Numbers::SHOWN), seen(Numbers::REFUTED)), (Numbers::SHOWN, Numbers::REFUTED));
        store.leave(key);
        assert_eq!(store.deterred(key, Numbers::UNKNOWN), Numbers::UNKNOWN);
        memory.settle(Numbers::UNKNOWN);
        assert!(!store.is_over());
        memory.settle(Numbers::SHOWN);
        assert!(store.is_over() && memory.answer() == Some(Numbers::SHOWN));
    }
}
