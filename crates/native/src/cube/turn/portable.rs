//! For any processor: byte by byte.

use crate::cube::tables::{FROM, PERIODS, TWISTS};

/// The cubies after a turn.
#[inline(always)]
pub(in crate::cube) fn turned(cubies: &[u64; 4], turn: usize) -> [u64; 4] {
    let mut after = [0; 4];
    for place in 0..32 {
        // Shuffles stay within a half: edges in the lower one, corners in the upper one.
        let from = usize::from(FROM[turn][place]) + (place & 16);
        let byte = (cubies[from / 8] >> (from % 8 * 8)) as u8 + TWISTS[turn][place];
        let byte = byte.min(byte.wrapping_sub(PERIODS[place]));
        after[place / 8] |= u64::from(byte) << (place % 8 * 8);
    }
    after
}
