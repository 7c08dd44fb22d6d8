//! How long a network takes for a position of chess: with what differs from the position before, and from nothing.
//! `cargo run --release -p network --example speed [ROUNDS]`

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use game::{Colour, Game, MoveList, Position, Stage};
use native::NativeChess;
use network::{Inputs, Parameters, Shape};

/// The best of so many rounds counts: others may be at work.
const ROUNDS: usize = 50;
/// As many as stay near the processor, as those of a search do.
const POSITIONS: usize = 2_000;

fn main() {
    let game = NativeChess::new();
    let inputs = Arc::new(Inputs::new(game.info(), true));
    let positions = neighbours(&game);
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    for width in [32, 64, 128, 256] {
        let shape = Shape { inputs: inputs.count(), width, hidden: 16, phases: 4, entries: 0, tables: 0 };
        let mut random = fastrand::Rng::with_seed(1);
        let values = (0..shape.parameters()).map(|_| random.f32() - 0.5).collect();
        let network = Parameters { shape, values, corrects: None }.quantised(Arc::clone(&inputs));
        let fill = |position: &Position, into: &mut Vec<i32>| {
            into.clear();
            into.extend_from_slice(position.slots());
        };
        let measure = |evaluate: &dyn Fn(&Position) -> i32| {
            let once =
                || positions.iter().map(|position| i64::from(black_box(evaluate(position)))).sum::<i64>();
            let sum = once();
            let round = || {
                let began = Instant::now();
                assert_eq!(once(), sum);
                began.elapsed().as_nanos() as f64 / positions.len() as f64
            };
            let best = (0..rounds).map(|_| round()).fold(f64::INFINITY, f64::min);
            (best, sum)
        };
        let kept = |position: &Position| network.evaluate(position.mover(), 0, |into| fill(position, into));
        let afresh = |position: &Position| network.evaluate_afresh(position, 0);
        let (fast, sum) = measure(&kept);
        let (slow, same) = measure(&afresh);
        assert_eq!(sum, same);
        println!("width {width}: {fast:.0} ns by what differs, {slow:.0} ns from nothing");
    }
}

/// Positions as a search meets them: all moves of positions along random games, with one reply each.
fn neighbours(game: &NativeChess) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut found, mut moves) = (Vec::new(), MoveList::new());
    let start = game.info().start.clone().expect("chess has a start");
    for _ in 0..40 {
        let mut position = game.pack(&start);
        for _ in 0..60 {
            if game.generate(&position, Stage::All, &mut moves).expect("no fault").is_some() {
                break;
            }
            for played in moves.iter() {
                let mut child = position.clone();
                game.play(&mut child, played);
                found.push(game.unpack(&child));
            }
            let chosen = moves.get(random.usize(..moves.len()));
            game.play(&mut position, chosen);
        }
    }
    found.truncate(POSITIONS);
    assert!(found.iter().any(|position| position.mover() == Colour::Black));
    found
}
