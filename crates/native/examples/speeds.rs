//! Prints how fast the hand-written games are: million leaves a second with every leaf move played, the same
//! with the last ply counted, and random games a second. Every count is checked.
//!
//! `cargo run --release -p native --example speeds [NAME…]`

use std::time::Instant;

use native::{Checkers, Chess, Connect4, Cube, DoubleBlank, Othello, Perft, Playouts, Puzzle15, Puzzle24};

/// The best of five runs, in seconds: other programs can only make a run slower.
fn seconds(mut run: impl FnMut()) -> f64 {
    let once = |_| {
        let (wall, processor) = (Instant::now(), processor_seconds());
        run();
        let wall = wall.elapsed().as_secs_f64();
        processor.zip(processor_seconds()).map_or(wall, |(before, after)| after - before)
    };
    (0..5).map(once).fold(f64::INFINITY, f64::min)
}

/// The time that this thread has had a processor, where the system tells: waiting for one does not count.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

fn is_wanted(name: &str) -> bool {
    let mut names = std::env::args().skip(1).peekable();
    names.peek().is_none() || names.any(|wanted| wanted == name)
}

fn leaves<P: Perft>(depth: u32, bulk_depth: u32, expected: [u64; 2]) {
    if !is_wanted(P::NAME) {
        return;
    }
    let start = P::start();
    let make_all = seconds(|| assert_eq!(start.make_all(depth), expected[0], "{}", P::NAME));
    let bulk = seconds(|| assert_eq!(start.bulk(bulk_depth), expected[1], "{}", P::NAME));
    let speed = |leaves: u64, seconds: f64| leaves as f64 / seconds / 1e6;
    let (make_all, bulk) = (speed(expected[0], make_all), speed(expected[1], bulk));
    println!("{:<12} make-all {make_all:8.1} M leaves/s   bulk {bulk:8.1} M leaves/s", P::NAME);
}

fn playouts<P: Playouts>(count: u64) {
    if !is_wanted(P::NAME) {
        return;
    }
    let mut plies = 0;
    let time = seconds(|| plies = P::playouts(count, 1));
    let (speed, length) = (count as f64 / time / 1e3, plies as f64 / count as f64);
    println!("{:<12} playouts {speed:8.1} k games/s    of {length:5.1} plies", P::NAME);
}

fn main() {
    leaves::<Chess>(5, 6, [4_865_609, 119_060_324]);
    leaves::<Othello>(10, 11, [24_571_284, 212_258_572]);
    leaves::<Checkers>(11, 11, [85_242_128, 85_242_128]);
    leaves::<Connect4>(9, 10, [39_394_572, 268_031_646]);
    leaves::<Puzzle15>(16, 16, [75_733_402; 2]);
    leaves::<Puzzle24>(15, 15, [47_777_202; 2]);
    leaves::<DoubleBlank>(10, 10, [27_242_076; 2]);
    leaves::<Cube>(6, 7, [18_u64.pow(6), 18_u64.pow(7)]);
    playouts::<Chess>(1_000);
    playouts::<Othello>(100_000);
    playouts::<Checkers>(100_000);
    playouts::<Connect4>(1_000_000);
}
