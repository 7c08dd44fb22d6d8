//! Figures that are the same on every machine: nodes of small trees, signatures along a game, and what a search visits.
//! They were found on x86-64; `scripts/arm` compares them on another processor, where compiled rules are other code.

#![allow(clippy::unwrap_used)]

mod support;

use game::perft::Tally;
use game::{Game, Stage};
use search::{Engine, Limits, Settings};
use support::{Bench, compiled, start};

/// As `multigame bench` counts.
const NODES_ENOUGH: u64 = 20_000;

/// The nodes that `multigame bench` prints.
fn nodes<G: Game>(game: &G) -> u64 {
    let position = game.pack(&start(game));
    let count = |depth| {
        let mut tally = Tally::new(false, &|| false);
        game.perft(&position, depth, &mut tally).unwrap();
        tally.nodes
    };
    (1..=12).map(count).find(|&nodes| nodes > NODES_ENOUGH).unwrap()
}

/// All signatures of one game in one number. Which move is played does not depend on the order in which they are found.
fn signatures<G: Game>(game: &G) -> u64 {
    let mut position = game.pack(&start(game));
    let (mut moves, mut sum) = (game::MoveList::new(), 0_u64);
    for ply in 0..40 {
        let over = game.generate(&position, Stage::All, &mut moves).unwrap().is_some();
        sum = moves.iter().fold(sum, |sum, one| sum.wrapping_add(one.head.signature_difference.0));
        sum = sum.rotate_left(7) ^ game.signature(&position).0;
        if over {
            break;
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&index| moves.get(index).head.signature_difference.0);
        let played = moves.get(order[ply % order.len()]);
        let ends = played.head.outcome().is_some() && game.info().players == 2;
        game.play(&mut position, played);
        if ends {
            break;
        }
    }
    sum
}

/// Nodes and score of a search.
fn searched<G: Game>(game: &G, depth: i32) -> String {
    let settings = Settings::new(Engine::NegaScout);
    let report = Bench::new(game).run(&start(game), &settings, &Limits::to_depth(depth));
    format!("{} nodes, {}", report.nodes, report.score)
}

#[test]
fn tictactoe() {
    let game = compiled::<512>("tictactoe");
    assert_eq!(
        (nodes(&game), signatures(&game), searched(&game, 9).as_str()),
        (73_449, 457_315_784_409_982_722, "3891 nodes, +0")
    );
}

#[test]
fn connect4() {
    let game = compiled::<512>("connect4");
    assert_eq!(
        (nodes(&game), signatures(&game), searched(&game, 7).as_str()),
        (137_256, 3_188_232_064_304_399_881, "3222 nodes, +18")
    );
}

#[test]
fn othello() {
    let game = compiled::<512>("othello");
    assert_eq!(
        (nodes(&game), signatures(&game), searched(&game, 6).as_str()),
        (65_004, 8_882_861_209_368_882_032, "946 nodes, +0")
    );
}

/// Counted in vectors, with a shuffle for each turn.
#[test]
fn the_cube() {
    let game = compiled::<512>("rubik");
    assert_eq!((nodes(&game), signatures(&game)), (111_150, 11_128_336_922_930_891_918));
}
