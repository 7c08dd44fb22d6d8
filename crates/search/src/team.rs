//! Searches that work on one question count their nodes together.

use std::sync::atomic::{AtomicU64, Ordering};

/// The nodes of several searches. Each announces its own now and then; the number publishes nothing else, so
/// relaxed order suffices.
#[derive(Default, Debug)]
pub struct Team {
    nodes: AtomicU64,
}

impl Team {
    /// Adds nodes; returns the sum with them.
    pub fn add(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    /// All nodes that were announced.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}
