//! Monte Carlo search that is led by a policy: whatever the policy thinks, what is proven is right, and the same seed
//! gives the same search.

#![allow(clippy::unwrap_used)] // tests are free to

use std::sync::Arc;

use crate::support::{Bench, compiled, random_positions, start};
use estimate::{Estimated, Judge, likeness};
use game::Game;
use learn::policy::PolicyTrainer;
use network::policy::{Exchange, Eyes, MovePolicy, PolicyShape};
use search::{Engine, Limits, Score, Settings};

/// A policy that knows nothing and has opinions on everything.
fn opinionated<G: Game>(game: &G, seed: u64) -> Arc<MovePolicy> {
    let alike = likeness::find(game, &start(game), 1).unwrap();
    let exchange = alike.exchange.map_or(Exchange::Different, Exchange::Turned);
    let eyes = Arc::new(Eyes::new(game.info(), exchange).unwrap());
    let mut parameters = PolicyTrainer::new(PolicyShape::new(&eyes, 8, 1), seed).parameters;
    let mut random = fastrand::Rng::with_seed(seed);
    parameters.values.iter_mut().for_each(|value| *value += 0.5 * (random.f32() - 0.5));
    Arc::new(parameters.quantised(eyes))
}

fn sign(score: Score) -> i32 {
    score.cmp(&Score::DRAW) as i32
}

#[test]
fn what_is_proven_is_right_whatever_the_policy_thinks() {
    for (name, plies) in [("tictactoe", 6), ("sizes/hex_3x3", 4)] {
        let plain = compiled::<16>(name);
        for seed in 1..4 {
            let policy = opinionated(&plain, seed);
            let game = Estimated::judged_by(&plain, Judge::Nobody).advised_by(Some(policy));
            let bench = Bench::new(&game);
            let mut proven = 0;
            for position in random_positions(&game, 15, plies, seed) {
                let full =
                    bench.run(&position, &Settings::new(Engine::NegaScout).exact(), &Limits::to_depth(9));
                let led =
                    bench.run(&position, &Settings::new(Engine::MonteCarlo), &Limits::to_nodes(100_000));
                assert!(led.statistics.playout_plies == 0 && led.statistics.evaluations > 0 || led.proven);
                if led.proven {
                    proven += 1;
                    assert_eq!(sign(led.score), sign(full.score), "{name}: {position:?}");
                }
            }
            assert!(proven > 5, "{name}: {proven}");
        }
    }
}

/// Nodes with more moves than they begin with get the others before they are given up.
#[test]
fn moves_that_look_bad_are_not_forgotten() {
    let plain = compiled::<64>("gomoku");
    let policy = opinionated(&plain, 5);
    let game = Estimated::judged_by(&plain, Judge::Nobody).advised_by(Some(policy));
    let bench = Bench::new(&game);
    // Three moves at once win for white, and black can stop two of them at most.
    let rows = |row: usize| match row {
        7 => "....XXXX.......",
        8 => "...OOOO........",
        _ => "...............",
    };
    let text: Vec<&str> = (0..15).map(rows).collect();
    let position = game::text::read(game.info(), &format!("{}\nwhite to move", text.join("\n"))).unwrap();
    let led = bench.run(&position, &Settings::new(Engine::MonteCarlo), &Limits::to_nodes(20_000));
    assert_eq!((led.score, led.proven), (Score::WON, true));
    // Black to move wins too; a move earlier everything but the two blocks loses for who waits.
    let position = game::text::read(game.info(), &format!("{}\nblack to move", text.join("\n"))).unwrap();
    let led = bench.run(&position, &Settings::new(Engine::MonteCarlo), &Limits::to_nodes(20_000));
    assert_eq!((led.score, led.proven), (Score::WON, true));
    let open: Vec<&str> =
        (0..15).map(|row| if row == 7 { "....XXXX......." } else { "..............." }).collect();
    let position = game::text::read(game.info(), &format!("{}\nblack to move", open.join("\n"))).unwrap();
    let led = bench.run(&position, &Settings::new(Engine::MonteCarlo), &Limits::to_nodes(400_000));
    assert_eq!((led.score, led.proven), (Score::LOST, true), "no move stops an open four");
}

#[test]
fn the_same_search_gives_the_same_and_the_switch_works() {
    let plain = compiled::<64>("othello");
    let game = Estimated::judged_by(&plain, Judge::Own).advised_by(Some(opinionated(&plain, 2)));
    let bench = Bench::new(&game);
    let settings = Settings::new(Engine::MonteCarlo);
    let run = |settings: &Settings| bench.run(&start(&game), settings, &Limits::to_nodes(4_000));
    let (one, other) = (run(&settings), run(&Settings { seed: 9, ..settings }));
    // Nothing is left to chance.
    assert_eq!(
        (one.score, one.nodes, &one.principal_variation),
        (other.score, other.nodes, &other.principal_variation)
    );
    assert!(one.statistics.playout_plies == 0 && one.statistics.evaluations > 100);
    let mut without = settings;
    without.monte_carlo.policy = false;
    assert!(run(&without).statistics.playout_plies > 0);
    let mut noisy = settings;
    noisy.monte_carlo.noise = 0.5;
    let noisy = run(&noisy);
    assert!(noisy.score != one.score || noisy.principal_variation != one.principal_variation);
}

#[test]
fn likeness_is_found_by_playing() {
    let of = |name: &str| {
        let game = compiled::<64>(name);
        likeness::find(&game, &start(&game), 1).unwrap()
    };
    // Hex: half a turn for the same player, a diagonal for the other.
    let hex = of("sizes/hex_5x5");
    assert_eq!(hex.symmetries.len(), 2, "{hex:?}");
    assert!(hex.exchange.is_some_and(|map| map > 0), "{hex:?}");
    let gomoku = of("gomoku");
    assert_eq!((gomoku.symmetries.len(), gomoku.exchange), (8, Some(0)));
    let horde = of("horde");
    assert_eq!(horde.exchange, None);
    let breakthrough = of("breakthrough");
    assert!(breakthrough.symmetries.len() == 2 && breakthrough.exchange.is_some(), "{breakthrough:?}");
}
