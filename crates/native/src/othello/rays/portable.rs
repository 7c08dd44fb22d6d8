//! For any processor.

use super::{INNER_COLUMNS, RAYS, SHIFTS};

/// The fields where the player with the discs `mine` can move.
#[inline(always)]
pub(in crate::othello) fn moves(mine: u64, theirs: u64) -> u64 {
    let mut found = 0;
    for (lane, shift) in SHIFTS.into_iter().enumerate() {
        let inner = if lane == 1 { theirs } else { theirs & INNER_COLUMNS };
        let (mut up, mut down) = (inner & (mine << shift), inner & (mine >> shift));
        up |= inner & (up << shift);
        down |= inner & (down >> shift);
        let (pairs_up, pairs_down) = (inner & (inner << shift), inner & (inner >> shift));
        up |= pairs_up & (up << (2 * shift));
        down |= pairs_down & (down >> (2 * shift));
        up |= pairs_up & (up << (2 * shift));
        down |= pairs_down & (down >> (2 * shift));
        found |= up << shift | down >> shift;
    }
    found & !(mine | theirs)
}

/// The discs that a move on an empty field turns over.
#[inline(always)]
pub(in crate::othello) fn flips(field: usize, mine: u64, theirs: u64) -> u64 {
    let (up, down) = &RAYS[field & 63];
    let mut turned = 0;
    for &ray in up {
        let end = (theirs | !ray).wrapping_add(1) & ray & mine;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in down {
        let stop = ray & !theirs;
        let end = if stop == 0 { 0 } else { 1 << (63 - stop.leading_zeros()) };
        if end & mine != 0 {
            turned |= ray & !(end | (end - 1));
        }
    }
    turned
}
