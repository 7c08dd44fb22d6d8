//! Which positions are being searched right now, so that others search their brothers first (after Weill's ABDADA, in
//! the simpler form with a list of its own instead of counters in the table).

use std::sync::atomic::{AtomicU64, Ordering};

use game::Signature;

const SLOTS: usize = 1 << 12;

/// Positions that are being searched. All threads write and read; a wrong answer costs time and never a value, so
/// relaxed order suffices, and who finds a slot taken overwrites it.
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(crate) fn new() -> Busy {
        Busy(table::room::words(SLOTS))
    }

    fn slot(&self, position: Signature) -> &AtomicU64 {
        &self.0[(position.0 >> 16) as usize % SLOTS]
    }

    pub(crate) fn contains(&self, position: Signature) -> bool {
        self.slot(position).load(Ordering::Relaxed) == position.0
    }

    pub(crate) fn begin(&self, position: Signature) {
        self.slot(position).store(position.0, Ordering::Relaxed);
    }

    pub(crate) fn end(&self, position: Signature) {
        let _ = self.slot(position).compare_exchange(position.0, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_busy_from_beginning_to_end() {
        let (busy, position) = (Busy::new(), Signature(0x1234_5678_9abc_def0));
        assert!(!busy.contains(position));
        busy.begin(position);
        assert!(busy.contains(position) && !busy.contains(Signature(1)));
        busy.end(position);
        assert!(!busy.contains(position));
    }
}
