//! Problems that are not games: the same results on any number of processors, whatever is delayed and whichever
//! processor dies.

#![allow(clippy::unwrap_used)]

#[path = "../../examples/problems/queens.rs"]
mod queens;
#[path = "../../examples/problems/salesman.rs"]
mod salesman;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use fabric::ProcessorId;
use fabric::simulation::{Faults, Machine, Network};
use parallel::dib::{Problem, RunError, on_threads, simulated};
use queens::Queens;
use salesman::Salesman;

const COST: Duration = Duration::from_micros(2);

/// A machine with delays, and some of whose processors die, all by seed; at least one does not.
fn machine(seed: u64) -> Machine {
    let mut random = fastrand::Rng::with_seed(seed);
    let processors = random.usize(2..12);
    let mut machine = Machine::with_network(processors, Network::INFINIBAND);
    let survivor = random.usize(..processors);
    let mortal = (0..processors).filter(|&one| one != survivor);
    let deaths = mortal.filter(|_| random.bool()).collect::<Vec<_>>();
    let deaths =
        deaths.into_iter().map(|one| (ProcessorId(one as u32), Duration::from_micros(random.u64(1..2_000))));
    machine.faults = Faults { delay: 10, deaths: deaths.collect(), ..Faults::default() };
    machine.seed = seed;
    machine
}

#[test]
fn queens_are_counted_once_whoever_dies() {
    for seed in 0..100 {
        let found = simulated(&Queens(7), &machine(seed), COST).unwrap();
        assert_eq!(found.done.outcome, 40, "seed {seed}");
    }
}

#[test]
fn tours_are_shortest_whoever_dies() {
    for seed in 0..60 {
        let problem = Salesman::random(8, seed);
        let alone = simulated(&problem, &Machine::new(1), COST).unwrap().done.outcome;
        let found = simulated(&problem, &machine(seed), COST).unwrap().done.outcome;
        assert_eq!(found.len(), 8);
        assert_eq!(problem.length(&found), problem.length(&alone), "seed {seed}");
        assert_eq!(problem.length(&alone), shortest(&problem, &mut vec![0]), "seed {seed}");
    }
}

/// All tours, one after the other.
fn shortest(problem: &Salesman, tour: &mut Vec<u8>) -> i64 {
    if tour.len() == 8 {
        return problem.length(tour);
    }
    let towns: Vec<u8> = (0..8).filter(|town| !tour.contains(town)).collect();
    let each = towns.into_iter().map(|town| {
        tour.push(town);
        let length = shortest(problem, tour);
        tour.pop();
        length
    });
    each.min().unwrap()
}

#[test]
fn nobody_left_is_said() {
    let mut machine = Machine::new(2);
    let soon = Duration::from_micros(20);
    machine.faults.deaths = vec![(ProcessorId(0), soon), (ProcessorId(1), 2 * soon)];
    let error = simulated(&Queens(9), &machine, COST).unwrap_err();
    assert!(matches!(error, RunError::NobodyLeft(_)), "{error}");
}

#[test]
fn many_processors_are_faster() {
    let time = |processors| {
        let machine = Machine::with_network(processors, Network::INFINIBAND);
        simulated(&Queens(9), &machine, COST).unwrap().time.as_secs_f64()
    };
    assert!(time(1) / time(16) > 10.0);
}

/// Queens in a house where a thread panics after so many pieces of all.
struct Haunted {
    queens: Queens,
    left: AtomicU32,
}

impl Problem for Haunted {
    type Piece = queens::Rows;
    type Outcome = u64;

    fn root(&self) -> queens::Rows {
        self.queens.root()
    }
    fn children(&self, rows: &queens::Rows, children: &mut Vec<queens::Rows>) {
        assert!(self.left.fetch_sub(1, Ordering::Relaxed) != 1, "this panic is part of a test");
        self.queens.children(rows, children);
    }
    fn outcome(&self, rows: &queens::Rows) -> u64 {
        self.queens.outcome(rows)
    }
    fn nothing(&self) -> u64 {
        0
    }
    fn combine(&self, one: u64, other: u64) -> u64 {
        one + other
    }
    fn write_piece(&self, rows: &queens::Rows, into: &mut Vec<u8>) {
        self.queens.write_piece(rows, into);
    }
    fn read_piece(&self, bytes: &[u8]) -> Option<queens::Rows> {
        self.queens.read_piece(bytes)
    }
    fn write_outcome(&self, count: &u64, into: &mut Vec<u8>) {
        self.queens.write_outcome(count, into);
    }
    fn read_outcome(&self, bytes: &[u8]) -> Option<u64> {
        self.queens.read_outcome(bytes)
    }
}

#[test]
fn work_of_a_thread_that_panics_is_done_by_others() {
    for pieces in [1, 100, 5_000] {
        let haunted = Haunted { queens: Queens(9), left: AtomicU32::new(pieces) };
        let done = on_threads(&haunted, 4).unwrap();
        assert_eq!(done.outcome, 352);
        assert_eq!(done.pieces.iter().filter(|pieces| pieces.is_none()).count(), 1, "{:?}", done.pieces);
    }
}
