//! For processors with AVX2: all cubies at once.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_extract_epi64, _mm256_min_epu8, _mm256_set_epi64x, _mm256_shuffle_epi8,
    _mm256_sub_epi8,
};

use crate::cube::tables::{FROM_WORDS, PERIODS_WORDS, TWISTS_WORDS};

#[target_feature(enable = "avx2")]
#[inline]
fn vector(words: &[u64; 4]) -> __m256i {
    _mm256_set_epi64x(words[3] as i64, words[2] as i64, words[1] as i64, words[0] as i64)
}

/// The cubies after a turn.
#[target_feature(enable = "avx2")]
#[inline]
pub(in crate::cube) fn turned(cubies: &[u64; 4], turn: usize) -> [u64; 4] {
    let moved = _mm256_shuffle_epi8(vector(cubies), vector(&FROM_WORDS[turn]));
    let twisted = _mm256_add_epi8(moved, vector(&TWISTS_WORDS[turn]));
    // A twist beyond the period wraps: of the byte and the byte less the period, the smaller one is right.
    let after = _mm256_min_epu8(twisted, _mm256_sub_epi8(twisted, vector(&PERIODS_WORDS)));
    [
        _mm256_extract_epi64::<0>(after) as u64,
        _mm256_extract_epi64::<1>(after) as u64,
        _mm256_extract_epi64::<2>(after) as u64,
        _mm256_extract_epi64::<3>(after) as u64,
    ]
}
