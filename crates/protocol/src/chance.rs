//! Choices by chance that are the same for every generator: a move is known by what it changes, not by where it stands
//! in a list.

use game::{MoveList, Outcome};

/// One of the moves, all equally likely. The order in which a generator finds them does not matter: the one whose
/// changes have the least hash is chosen. 0 for an empty list.
#[must_use]
pub fn choose(moves: &MoveList, random: u64) -> usize {
    let hash = |index: &usize| {
        let played = moves.get(*index);
        let changes = played.changes.iter().fold(random, |hash, change| mix(hash ^ change.word()));
        mix(changes ^ Outcome::code(played.head.outcome()) as u64)
    };
    (0..moves.len()).min_by_key(hash).unwrap_or(0)
}

/// The random number that follows another.
#[must_use]
pub fn next(random: u64) -> u64 {
    mix(random.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// Spreads every bit over all others (the last step of splitmix64).
#[must_use]
pub fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
