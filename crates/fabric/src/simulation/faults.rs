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
