//! Solves 15-puzzles on the processes that `mpirun` started, by transposition-driven scheduling or by work stealing:
//! `mpirun -n 2 target/release/examples/cluster_puzzle tds 1`, where the number is that of threads of each process.
//! With a number behind it no longer solutions are looked for, so that all iterations are complete:
//! `mpirun -n 2 target/release/examples/cluster_puzzle tds 1 55`.
//! With `short` in place of that number only the first one is solved, which takes some seconds.

use std::time::Instant;

use game::motion::{Motion, State};
use game::{Game, text};
use parallel::tds::{Carrying, Scheduling, Settings, Task, solve};
use search::one_player::{Budget, PieceByPiece, Verdict};

/// Instances 1, 56, 63 and 88 of Korf's hundred, and how many moves they take.
const TILES: [(&str, usize); 4] = [
    ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57),
    ("3 15 2 5 11 6 4 7 12 9 1 0 13 14 10 8", 55),
    ("8 10 9 11 14 1 7 15 13 4 0 12 6 2 5 3", 56),
    ("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", 65),
];

/// Memory for what all processors of a process remember.
const TABLE_BYTES: usize = 16 << 20;

fn main() {
    if let Err(error) = parallel::cluster::join() {
        eprintln!("{error}");
        std::process::exit(2);
    }
    let mut words = std::env::args().skip(1);
    let scheduling = match words.next().as_deref() {
        Some("stealing") => Scheduling::Stealing,
        _ => Scheduling::Home,
    };
    let threads = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
    let last = words.next();
    let tiles = if last.as_deref() == Some("short") { &TILES[..1] } else { &TILES };
    let last_bound = last.and_then(|word| word.parse().ok());
    let settings = Settings { last_bound, ..Settings::real(scheduling) };
    let game = native::NativeSliding::<4, 1>::new();
    let motion = Motion::of(&game).expect("tiles are carried");
    let mut seconds = 0.0;
    for &(tiles, moves) in tiles {
        let position = text::read(game.info(), tiles).expect("these are tiles");
        let state = motion.state(&position).expect("it can be solved");
        seconds += search(&motion, &state, moves, settings, threads);
    }
    println!("all: {seconds:.3} s");
    parallel::cluster::leave();
}

fn search(motion: &Motion, start: &State, moves: usize, settings: Settings, threads: usize) -> f64 {
    let bounds = PieceByPiece::new(motion);
    let limits = Budget { nodes: None, bytes: 0, stop: &|| false };
    let space = Carrying::new(motion, start, &bounds);
    let task = Task { space: &space, settings, table_bytes: TABLE_BYTES };
    let began = Instant::now();
    let Ok(found) = solve(&task, threads, &limits, &mut |_, _| {}) else { return 0.0 };
    let seconds = began.elapsed().as_secs_f64();
    let found = found.found;
    match found.verdict {
        Verdict::Solved(lines) => {
            println!("{} moves, {} nodes, {seconds:.3} s", lines[0].len(), found.nodes);
            assert_eq!(lines[0].len(), moves, "a solution is as short as it is known to be");
        }
        _ if found.bound > 0 => {
            println!("at least {} moves, {} nodes, {seconds:.3} s", found.bound, found.nodes)
        }
        // The first process knows.
        _ => {}
    }
    seconds
}
