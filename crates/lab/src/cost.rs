//! What a node costs on one modern core, so that virtual figures do not depend on the machine that simulates them.

use std::time::Duration;

/// Nanoseconds per node of an exact search with quiescence from compiled rules, as `multigame lab calibrate GAME`
/// measured them on one virtual core of an AMD Zen 3.
const NODE_NS: [(&str, u64); 6] = [
    ("breakthrough", 700),
    ("checkers", 1_300),
    ("chess", 3_190),
    ("connect4", 800),
    ("othello", 1_500),
    ("xiangqi", 12_000),
];

/// For games that have not been measured.
const NODE_NS_USUAL: u64 = 2_000;

/// What a node of a game costs. Chess is such that a transputer, 600 times as slow, searches the 523 nodes a second
/// that Zugzwang did.
#[must_use]
pub fn node_cost(game: &str) -> Duration {
    let known = NODE_NS.iter().find(|(name, _)| *name == game);
    Duration::from_nanos(known.map_or(NODE_NS_USUAL, |(_, cost)| *cost))
}
