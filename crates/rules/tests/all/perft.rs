//! Published counts. Belongs here: whatever can be said as "this game, this position, this many sequences".
//!
//! The quick run leaves out what takes long; `MULTIGAME_FULL_PERFT=1` counts everything.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support::{game, perft, position, read};

/// The most leaves that the quick run counts for one number.
const QUICK_LEAVES_MAX: u64 = 250_000;
/// The same for each position of the suite: there are many of them.
const QUICK_SUITE_LEAVES_MAX: u64 = 3_000;
const FULL_SUITE_LEAVES_MAX: u64 = 1_000_000;

fn is_full() -> bool {
    std::env::var_os("MULTIGAME_FULL_PERFT").is_some_and(|value| value != "0")
}

fn check(name: &str, text: &str, counts: impl IntoIterator<Item = (u32, u64)>, leaves_max: u64) {
    let game = game(name);
    let mut position = position(&game, text);
    for (depth, expected) in counts.into_iter().filter(|(_, expected)| *expected <= leaves_max) {
        let leaves = perft(&game, &mut position, depth).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(
            leaves, expected,
            "replay with: multigame perft {name} --depth {depth} --divide --position '{text}'"
        );
    }
}

/// Checks the rows of one game in `published.perft`.
fn published(wanted: &str) {
    let leaves_max = if is_full() { u64::MAX } else { QUICK_LEAVES_MAX };
    let table = read("crates/rules/tests/published.perft");
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut checked = 0;
    for row in rows {
        let columns: Vec<&str> = row.split(';').map(str::trim).collect();
        let [name, text, counts] = columns[..] else { panic!("not three columns: {row}") };
        if name == wanted {
            let counts = counts.split(' ').map(|count| count.parse().unwrap());
            check(name, text, (1..).zip(counts), leaves_max);
            checked += 1;
        }
    }
    assert!(checked > 0, "no row for {wanted}");
}

#[test]
fn chess() {
    published("chess");
}

#[test]
fn checkers() {
    published("checkers");
}

#[test]
fn othello() {
    published("othello");
}

#[test]
fn connect4() {
    published("connect4");
}

#[test]
fn tictactoe() {
    published("tictactoe");
}

#[test]
fn puzzle15() {
    published("puzzle15");
}

/// `FEN ;D1 20 ;D2 400 …`
#[test]
fn chess_suite() {
    let leaves_max = if is_full() { FULL_SUITE_LEAVES_MAX } else { QUICK_SUITE_LEAVES_MAX };
    let mut positions = 0;
    for line in read("suites/perftsuite.epd").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(';').map(str::trim);
        let Some(fen) = parts.next().filter(|fen| !fen.is_empty()) else { continue };
        let counts = parts.map(|part| {
            let (depth, count) = part.trim_start_matches('D').split_once(' ').expect("`Dn count`");
            (depth.parse().unwrap(), count.trim().parse().unwrap())
        });
        check("chess", fen, counts, leaves_max);
        positions += 1;
    }
    assert!(positions >= 100, "the suite has only {positions} positions");
}
