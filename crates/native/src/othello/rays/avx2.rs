//! For processors with AVX2: four directions in one vector, their opposites in another.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256,
    _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_sub_epi64,
};

use super::{INNER_COLUMNS, RAYS, SHIFTS};

#[target_feature(enable = "avx2")]
#[inline]
fn vector(lanes: &[u64; 4]) -> __m256i {
    _mm256_set_epi64x(lanes[3] as i64, lanes[2] as i64, lanes[1] as i64, lanes[0] as i64)
}

/// The union of the four lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn union(lanes: __m256i) -> u64 {
    let two = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
}

/// The fields where the player with the discs `mine` can move.
#[target_feature(enable = "avx2")]
#[inline]
pub(in crate::othello) fn moves(mine: u64, theirs: u64) -> u64 {
    const SHIFT: [u64; 4] = [SHIFTS[0] as u64, SHIFTS[1] as u64, SHIFTS[2] as u64, SHIFTS[3] as u64];
    let one = vector(&SHIFT);
    let two = _mm256_add_epi64(one, one);
    let carriers = vector(&[INNER_COLUMNS, u64::MAX, INNER_COLUMNS, INNER_COLUMNS]);
    let inner = _mm256_and_si256(_mm256_set1_epi64x(theirs as i64), carriers);
    let mine_lanes = _mm256_set1_epi64x(mine as i64);
    let mut up = _mm256_and_si256(inner, _mm256_sllv_epi64(mine_lanes, one));
    let mut down = _mm256_and_si256(inner, _mm256_srlv_epi64(mine_lanes, one));
    up = _mm256_or_si256(up, _mm256_and_si256(inner, _mm256_sllv_epi64(up, one)));
    down = _mm256_or_si256(down, _mm256_and_si256(inner, _mm256_srlv_epi64(down, one)));
    let pairs_up = _mm256_and_si256(inner, _mm256_sllv_epi64(inner, one));
    let pairs_down = _mm256_srlv_epi64(pairs_up, one);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    let found = _mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one));
    union(found) & !(mine | theirs)
}

/// The discs that a move on an empty field turns over.
#[target_feature(enable = "avx2")]
#[inline]
pub(in crate::othello) fn flips(field: usize, mine: u64, theirs: u64) -> u64 {
    const SHIFT: [u64; 4] = [SHIFTS[0] as u64, SHIFTS[1] as u64, SHIFTS[2] as u64, SHIFTS[3] as u64];
    let (up, down) = &RAYS[field & 63];
    let (up, down) = (vector(up), vector(down));
    let mine = _mm256_set1_epi64x(mine as i64);
    let theirs = _mm256_set1_epi64x(theirs as i64);
    let (zero, ones) = (_mm256_setzero_si256(), _mm256_set1_epi64x(-1));
    // Upwards a carry runs through their discs to the first field that is not theirs.
    let carried = _mm256_sub_epi64(_mm256_or_si256(theirs, _mm256_andnot_si256(up, ones)), ones);
    let end = _mm256_and_si256(_mm256_and_si256(carried, up), mine);
    let below_end = _mm256_and_si256(_mm256_add_epi64(end, ones), up);
    let turned_up = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), below_end);
    // Downwards the first such field is smeared over the rest of the ray; what it does not cover is theirs.
    let one = vector(&SHIFT);
    let two = _mm256_add_epi64(one, one);
    let mut rest = _mm256_andnot_si256(theirs, down);
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, one));
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, two));
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, _mm256_add_epi64(two, two)));
    let run = _mm256_andnot_si256(rest, down);
    let end = _mm256_and_si256(_mm256_srlv_epi64(run, one), _mm256_and_si256(down, mine));
    let turned_down = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), run);
    union(_mm256_or_si256(turned_up, turned_down))
}
