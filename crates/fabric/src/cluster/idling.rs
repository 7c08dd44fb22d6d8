//! How to wait for a network that has to be asked: by yielding at first, then by short naps.

use std::thread;
use std::time::{Duration, Instant};

/// So long a wait asks again and again, and lets others run who want to.
const YIELDING_MAX: Duration = Duration::from_millis(1);
/// After that it naps. What comes over the network waits for the end of the nap.
const NAP: Duration = Duration::from_micros(50);

/// One wait, from its beginning.
pub(super) struct Idling {
    since: Instant,
}

impl Idling {
    pub(super) fn begin() -> Self {
        Self { since: Instant::now() }
    }

    /// Lets some time pass; `nap` knows how to sleep.
    pub(super) fn pause(&self, nap: impl FnOnce(Duration)) {
        if self.since.elapsed() < YIELDING_MAX { thread::yield_now() } else { nap(NAP) }
    }
}
