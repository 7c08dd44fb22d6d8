//! Solves a 15-puzzle on the processes that `mpirun` started, by transposition-driven scheduling or by work stealing:
//! `mpirun -n 2 target/release/examples/cluster_puzzle tds 1`, where the number is that of threads of each process.

use std::time::Instant;

use game::motion::Motion;
use game::{Game, text};
use parallel::tds::{Carrying, Scheduling, Settings, Task, on_cluster, solve};
use search::one_player::{Limits, PieceByPiece, Verdict, Wanted, solve_motion};

/// Instance 1 of Korf's hundred: 57 moves.
const TILES: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

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
    let game = native::NativeSliding::<4, 1>::new();
    let position = text::read(game.info(), TILES).expect("these are tiles");
    let motion = Motion::of(&game).expect("tiles are carried");
    let start = motion.state(&position).expect("it can be solved");
    let bounds = PieceByPiece::new(&motion);
    let limits = Limits { nodes: None, bytes: 0, stop: &|| false };
    let space = Carrying::new(&motion, &start, &bounds);
    let task = Task { space: &space, settings: Settings::real(scheduling), table_bytes: 64 << 20 };
    let began = Instant::now();
    // Nobody else is there: one process compares itself with the sequential search.
    let Some(found) = on_cluster(&task, threads, &limits, &mut |_, _| {}) else {
        solve_motion(&motion, &start, &bounds, Wanted::One, &limits, &mut |_, _| {});
        println!("sequential: {:.3} s", began.elapsed().as_secs_f64());
        let began = Instant::now();
        let found = solve(&task, threads, &limits, &mut |_, _| {});
        println!("{threads} threads: {:.3} s, {found:?}", began.elapsed().as_secs_f64());
        return parallel::cluster::leave();
    };
    if let Ok(found) = found
        && let Verdict::Solved(lines) = &found.found.verdict
    {
        let seconds = began.elapsed().as_secs_f64();
        println!("{} moves, {} nodes, {seconds:.3} s", lines[0].len(), found.found.nodes);
    }
    parallel::cluster::leave();
}
