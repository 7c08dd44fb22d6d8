//! Every reader of text from outside, with texts that are nearly right: no crash, whatever is cut, doubled or
//! exchanged. The bounded form of the fuzz targets, which call the same functions.

#![allow(clippy::unwrap_used, unreachable_pub)] // tests are free to

#[path = "../../../fuzz/readers.rs"]
mod readers;

use readers::{NAMES, Readers};

/// Texts that the readers understand, to begin with.
const SEEDS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "W:W31-50:B1-20:H3:F12",
    "[Event \"x\"]\n[FEN \"8/8/8/8/8/8/8/K6k w - - 0 1\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) $3 2. Nf3 1/2-1/2\n",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O; id \"castle\"; ce 30;",
    "setoption name Hash value 16\nposition startpos moves e2e4\ngo wtime 1000 btime 1000 movestogo 3\nstop",
    "protover 2\nsetboard 8/8/8/8/8/8/8/K6k w - - 0 1\nlevel 40 5 0\nusermove e2e4\n?",
    "#####\n#@$.#\n#####\n; title\n\n#######\n#.$@  #\n#######\n",
    "Nbxd7+",
    "e7 -> e8; e8 = queen",
];

/// The next number of a simple sequence (splitmix64).
fn next(random: &mut u64) -> usize {
    *random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*random ^ (*random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)) as usize
}

/// A text with one thing wrong: cut, doubled, exchanged, or with characters that do not belong there.
fn spoiled(text: &str, random: &mut u64) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let strange = ['\0', '\n', '\u{fffd}', 'é', '9', '-', '"', '{', '(', ';', ' ', '/', ':', 'K', '𝔸'];
    for _ in 0..=next(random) % 4 {
        let at = next(random) % (characters.len() + 1);
        match next(random) % 5 {
            0 => characters.truncate(at),
            1 if at < characters.len() => drop(characters.remove(at)),
            2 => {
                let part: Vec<char> = characters[at..].iter().copied().take(12).collect();
                characters.splice(at..at, part);
            }
            3 if at < characters.len() => characters[at] = strange[next(random) % strange.len()],
            _ => characters.insert(at, strange[next(random) % strange.len()]),
        }
    }
    characters.into_iter().collect()
}

#[test]
fn no_text_brings_a_reader_down() {
    let readers = Readers::new();
    for reader in NAMES {
        for seed in SEEDS {
            readers.read(reader, seed);
            let mut random = 1;
            for _ in 0..120 {
                readers.read(reader, &spoiled(seed, &mut random));
            }
        }
    }
}
