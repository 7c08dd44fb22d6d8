//! Turning a face: the new cubies in two versions, the signature in one.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
pub(super) mod portable;

use super::Cubies;
use super::tables::{MOVED, MOVED_KEYS};

/// What a turn adds to the signature.
#[inline(always)]
pub(super) fn difference(bytes: &Cubies, turn: usize) -> u64 {
    let (places, keys) = (&MOVED[turn], &MOVED_KEYS[turn]);
    let mut sum = 0;
    for moved in 0..8 {
        sum ^= keys[moved][usize::from(bytes[usize::from(places[moved] & 31)] & 31)];
    }
    sum
}
