//! What goes wrong in a simulation, all of it from the machine's seed.

use std::time::Duration;

use crate::contract::ProcessorId;

/// Faults of a machine. The usual value has none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Faults {
    /// Every message takes longer by up to so many times the network's latency, at random. Messages of different pairs
    /// overtake each other by that; those of one pair do not.
    pub delay: u32,
    /// Processors that are slower, and how many times.
    pub slow: Vec<(ProcessorId, u32)>,
    /// Processors that die, and when.
    pub deaths: Vec<(ProcessorId, Duration)>,
}

/// How much goes wrong; where and when is drawn by a seed. The usual value is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Disturbances {
    /// See [`Faults::delay`].
    pub delay: u32,
    /// How many processors are slower.
    pub slow: u32,
    /// How many times as slow they are.
    pub slowness: u32,
    /// How many processors die.
    pub deaths: u32,
}

/// Which processors are slow or die has nothing to do with the other random numbers of a run with the same seed.
const SEED: u64 = 0x6661_756c_7473;

impl Disturbances {
    /// Whether nothing goes wrong.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Disturbances::default()
    }

    /// The faults of a machine; processors die before this time. One processor is left alive and one is not slow,
    /// however many should be.
    #[must_use]
    pub fn faults(&self, processors: usize, seed: u64, time: Duration) -> Faults {
        let mut random = fastrand::Rng::with_seed(seed ^ SEED);
        let most = processors.saturating_sub(1);
        let mut some = |count: u32| {
            let mut all: Vec<u32> = (0..processors as u32).collect();
            random.shuffle(&mut all);
            all.truncate((count as usize).min(most));
            all.into_iter().map(ProcessorId)
        };
        let slow = some(self.slow).map(|id| (id, self.slowness)).collect();
        let dying: Vec<ProcessorId> = some(self.deaths).collect();
        let deaths = dying.into_iter().map(|id| (id, time * random.u32(..100) / 100)).collect();
        Faults { delay: self.delay, slow, deaths }
    }
}
