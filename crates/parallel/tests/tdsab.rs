//! Transposition-driven scheduling for two players: NegaMax's values, whatever is delayed.

#![allow(clippy::unwrap_used)]

#[path = "../../search/tests/support/mod.rs"]
mod support;

use std::time::Duration;

use fabric::simulation::{Faults, Machine, Network};
use game::Game;
use parallel::tdsab::{Task, on_threads, simulated};
use search::{Engine, Limits, Score, Settings};
use support::{Bench, random_positions};

fn check(game: &impl Game, plies_max: usize, depth: u32, seeds: u64) {
    let bench = Bench::new(game);
    for seed in 0..seeds {
        for position in random_positions(game, 3, plies_max, seed) {
            let oracle = Settings::new(Engine::NegaMax).exact();
            let expected = bench.run(&position, &oracle, &Limits::to_depth(depth as i32)).score;
            let root = game.pack(&position);
            let guess = if seed % 2 == 0 { Score::DRAW } else { expected };
            let (node_cost, local_depth) = (Duration::from_micros(1), (seed % 3) as u32);
            let task = Task { game, root: &root, depth, local_depth, guess, node_cost };
            let mut machine = Machine::with_network(1 + seed as usize % 9, Network::INFINIBAND);
            machine.faults = Faults { delay: 20, ..Faults::default() };
            machine.seed = seed;
            let found = simulated(&task, &machine).unwrap().0.score;
            assert_eq!(found, expected, "seed {seed}: {position:?}");
            if seed % 5 == 0 {
                assert_eq!(on_threads(&task, 3).unwrap().score, expected, "seed {seed}, threads");
            }
        }
    }
}

#[test]
fn connect4_has_the_values_of_negamax() {
    check(&native::NativeConnect4::new(), 30, 5, 20);
}

#[test]
fn othello_has_the_values_of_negamax() {
    check(&native::NativeOthello::new(), 58, 3, 10);
}
