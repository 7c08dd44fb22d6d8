//! For processors with AVX2: all cubies at once.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_extract_epi64, _mm256_min_epu8, _mm256_set_epi64x, _mm256_shuffle_epi8,
    _mm256_sub_epi8,
};

use crate::cube::tables::{PERIODS_TABLE, TURN_TABLES};
use crate::cube::{Cubies, TURNS};

/// `FROM` in words.
static FROM_WORDS: [[u64; 4]; TURNS] = all_words(&TURN_TABLES.0);
/// `TWISTS` in words.
static TWISTS_WORDS: [[u64; 4]; TURNS] = all_words(&TURN_TABLES.1);
/// `PERIODS` in words.
static PERIODS_WORDS: [u64; 4] = words(&PERIODS_TABLE);

const fn words(bytes: &Cubies) -> [u64; 4] {
    let mut words = [0; 4];
    let mut place = 0;
    while place < 32 {
        words[place / 8] |= (bytes[place] as u64) << (place % 8 * 8);
        place += 1;
    }
    words
}

const fn all_words(table: &[Cubies; TURNS]) -> [[u64; 4]; TURNS] {
    let mut result = [[0; 4]; TURNS];
    let mut turn = 0;
    while turn < TURNS {
        result[turn] = words(&table[turn]);
        turn += 1;
    }
    result
}

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
