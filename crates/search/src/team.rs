//! Searches that work on one question count their nodes together.

use std::sync::atomic::{AtomicU64, Ordering};

/// The nodes of several searches, in a word that they share. Each announces its own now and then; the number publishes
/// nothing else, so relaxed order suffices.
#[derive(Clone, Copy, Debug)]
pub struct Team<'nodes> {
    nodes: &'nodes AtomicU64,
}

impl<'nodes> Team<'nodes> {
    /// Those who count in this word.
    #[must_use]
    pub fn new(nodes: &'nodes AtomicU64) -> Team<'nodes> {
        Team { nodes }
    }

    /// Adds nodes; returns the sum with them.
    pub fn announce(self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    /// All nodes that were announced.
    #[must_use]
    pub fn nodes(self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}
