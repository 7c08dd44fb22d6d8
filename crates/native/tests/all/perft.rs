//! The raw games against the published tree sizes, both ways of counting.

#![allow(clippy::unwrap_used)]

use native::{Checkers, Chess, Connect4, Cube, DoubleBlank, Othello, Perft, Playouts, Puzzle15, Puzzle24};

fn check<P: Perft>(start: &P, expected: &[u64]) {
    for (depth, &leaves) in (1..).zip(expected) {
        assert_eq!(start.make_all(depth), leaves, "{} at depth {depth}, every move played", P::NAME);
        assert_eq!(start.bulk(depth), leaves, "{} at depth {depth}, last ply counted", P::NAME);
    }
}

#[test]
fn othello() {
    check(&Othello::start(), &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284]);
}

/// At this depth some lines have ended: only those of full depth count.
#[test]
fn othello_to_the_first_finished_games() {
    assert_eq!(Othello::start().bulk(11), 212_258_572);
}

#[test]
fn connect4() {
    check(&Connect4::start(), &[7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572]);
}

#[test]
fn checkers() {
    let expected = [7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128];
    check(&Checkers::start(), &expected);
}

#[test]
fn fifteen_puzzle() {
    check(&Puzzle15::start(), &[2, 6, 18, 58, 186, 602, 1_946, 6_298]);
    assert_eq!(Puzzle15::start().make_all(16), 75_733_402);
    assert_eq!(Puzzle15::start().bulk(16), 75_733_402);
}

/// How often a walk on the grid can be continued, without any tiles.
fn walks(side: i32, at: (i32, i32), depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(right, up)| (at.0 + right, at.1 + up));
    let inside = |&(column, row): &(i32, i32)| (0..side).contains(&column) && (0..side).contains(&row);
    steps.iter().filter(|step| inside(step)).map(|&step| walks(side, step, depth - 1)).sum()
}

#[test]
fn twenty_four_puzzle() {
    let expected: Vec<u64> = (1..12).map(|depth| walks(5, (0, 4), depth)).collect();
    check(&Puzzle24::start(), &expected);
}

/// The walks of two blanks that never meet.
fn double_walks(blanks: [(i32, i32); 2], depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut sum = 0;
    for (blank, other) in [(0, 1), (1, 0)] {
        for (right, up) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let to = (blanks[blank].0 + right, blanks[blank].1 + up);
            let inside = (0..4).contains(&to.0) && (0..4).contains(&to.1);
            if inside && to != blanks[other] {
                let mut next = blanks;
                next[blank] = to;
                sum += double_walks(next, depth - 1);
            }
        }
    }
    sum
}

#[test]
fn double_blank_puzzle() {
    let expected: Vec<u64> = (1..9).map(|depth| double_walks([(0, 3), (3, 0)], depth)).collect();
    check(&DoubleBlank::start(), &expected);
}

#[test]
fn cube() {
    check(&Cube::start(), &[18, 324, 5_832, 104_976, 1_889_568]);
}

#[test]
fn chess() {
    check(&Chess::start(), &[20, 400, 8_902, 197_281, 4_865_609]);
    let check_fen = |fen: &str, expected: &[u64]| check(&Chess(fen.parse().unwrap()), expected);
    check_fen(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    );
    check_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]);
    check_fen("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]);
    check_fen("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]);
    check_fen(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    );
}

/// Average game lengths of random play, known roughly.
#[test]
fn playouts_last_as_long_as_random_games_do() {
    fn average<P: Playouts>(count: u64) -> u64 {
        let plies = P::playouts(count, 7);
        assert_eq!(plies, P::playouts(count, 7), "the same seed gives the same games");
        plies / count
    }
    assert!((59..=63).contains(&average::<Othello>(1_000)));
    assert!((20..=23).contains(&average::<Connect4>(1_000)));
    assert!((50..=120).contains(&average::<Checkers>(1_000)));
    assert!((250..=450).contains(&average::<Chess>(100)));
}
