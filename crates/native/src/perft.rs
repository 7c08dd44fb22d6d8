//! What benchmarks and tests ask of every hand-written game.

use std::hint::black_box;

/// A game that can count its own tree.
///
/// The counts are those of the usual tables: move sequences of a length, finished games without continuation.
///
/// ```
/// use native::{Connect4, Perft};
/// assert_eq!(Connect4::start().make_all(3), 343);
/// assert_eq!(Connect4::start().bulk(3), 343);
/// ```
pub trait Perft: Sized {
    /// The game's name, as on the command line.
    const NAME: &'static str;

    /// Where a game starts; for puzzles, the solved position.
    fn start() -> Self;

    /// Leaves at a depth. Every move is played, those to the leaves included: board and signature of each leaf
    /// are complete.
    fn make_all(&self, depth: u32) -> u64;

    /// Leaves at a depth. The moves of the last ply are counted and not played.
    fn bulk(&self, depth: u32) -> u64;
}

/// A two-player game that can be played at random, every legal move being as likely as any other.
pub trait Playouts: Perft {
    /// Plays so many games from the start to their end; the plies of all of them together.
    fn playouts(count: u64, seed: u64) -> u64;
}

/// Takes a position that a move led to: the optimiser must assume that all of it is read, and so it must be
/// there.
#[inline(always)]
pub(crate) fn played<T>(position: &T) {
    black_box(position);
}

/// Takes a leaf and counts it.
#[inline(always)]
pub(crate) fn leaf<T>(position: &T) -> u64 {
    played(position);
    1
}
