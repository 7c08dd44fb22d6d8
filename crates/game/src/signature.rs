//! Signatures: 64-bit fingerprints of positions, the exclusive or of one key per thing on the board.
//!
//! Keys are a fixed function of slot and value, not a table of random numbers made at start: signatures are
//! the same in every run, on every machine and in every generator, so they can be stored and sent.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};
use std::sync::OnceLock;

use crate::code;

/// Where keys come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// From slot and value, well mixed.
    Mixed,
    /// From a code that corrects errors: positions that differ in up to seven things never have the same signature.
    Coded,
}

static KEYS: OnceLock<Keys> = OnceLock::new();

/// Chooses the keys of all games of this process. For experiments: files that hold signatures are made with the usual
/// keys. Must come before any game is made; false if it comes too late.
pub fn choose_keys(keys: Keys) -> bool {
    *KEYS.get_or_init(|| keys) == keys
}

/// The fingerprint of a position, or the difference between two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Signature(pub u64);

impl Signature {
    /// What the turn adds when black is to move.
    pub const BLACK_TO_MOVE: Signature = Signature(mixed(u32::MAX, 0));
}

impl BitXor for Signature {
    type Output = Signature;
    #[inline]
    fn bitxor(self, other: Signature) -> Signature {
        Signature(self.0 ^ other.0)
    }
}

impl BitXorAssign for Signature {
    #[inline]
    fn bitxor_assign(&mut self, other: Signature) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

/// The key of a value in a slot.
#[must_use]
pub fn key(slot: u32, value: i32) -> u64 {
    let mixed = mixed(slot, value);
    match KEYS.get_or_init(|| Keys::Mixed) {
        Keys::Mixed => mixed,
        Keys::Coded => code::column(slot, value, mixed).unwrap_or(mixed),
    }
}

/// The usual key of a value in a slot (the splitmix64 finaliser, twice), as hand-written games know it.
#[must_use]
pub const fn mixed(slot: u32, value: i32) -> u64 {
    mix(mix(((slot as u64) << 32) | value as u32 as u64).wrapping_add(0x6d75_6c74_6967_616d))
}

const fn mix(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_never_change() {
        let mut keys: Vec<u64> =
            (0..500).flat_map(|slot| (-3..60).map(move |value| key(slot, value))).collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        // Stored tables and recorded figures depend on this value.
        assert_eq!(key(0, 1), 0xe132_f622_a842_1858);
    }
}
