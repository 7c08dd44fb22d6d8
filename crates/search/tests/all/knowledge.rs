//! What a search finds out about a game by itself.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crate::support::{Bench, compiled, start};
use estimate::{Estimated, Judge};
use game::{Game, MoveList, Stage};
use jit::{Compiled, Options};
use network::{Inputs, Parameters, Shape};
use search::{Engine, Knowledge, Limits, Settings};

/// Being to move is worth something to both players: no piece is worth more or less for it.
#[test]
fn pieces_are_worth_the_same_whatever_the_move_is_worth() {
    let path = format!("{}/../../games/chess.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let learn = |text: String| {
        let (program, _) = rules::compile(&lang::Source::new("chess", text), None).unwrap();
        let game = Compiled::<512>::new(&program, Options::default()).unwrap();
        Knowledge::learn(&game, &start(&game)).unwrap()
    };
    let (before, after) = text.split_once("    to move : 38.\n").unwrap();
    let knowledge = learn(format!("{before}{after}"));
    assert!(knowledge.unit > 50 && knowledge.has_royals());
    assert_eq!(learn(text), knowledge);
}

/// A network that judges alone may say anything of what pieces are worth; the rules of chess know.
#[test]
fn the_rules_say_what_pieces_are_worth_where_a_network_judges() {
    let game = compiled::<512>("chess");
    let inputs = Arc::new(Inputs::new(game.info(), true));
    let shape = Shape { inputs: inputs.count(), width: 16, hidden: 4, phases: 1, entries: 0, tables: 0 };
    let mut random = 1_u32;
    let mut number = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as f32 / 2_f32.powi(24) - 0.5
    };
    let values = (0..shape.parameters()).map(|_| number()).collect();
    let network = Parameters { shape, values, corrects: None }.quantised(inputs);
    let judged = Estimated::judged_by(&game, Judge::Network(Arc::new(network), None));
    let plain = Knowledge::learn(&game, &start(&game)).unwrap();
    let seen = Knowledge::learn(&judged, &start(&game)).unwrap();
    assert!(seen.unit > 0 && seen.unit != plain.unit && seen.has_royals());
    // The same proportions, in units of the network.
    let ratio = f64::from(seen.unit) / f64::from(plain.unit);
    let (mut position, mut moves, mut gains) = (game.pack(&start(&game)), MoveList::new(), 0);
    for _ in 0..40 {
        assert!(game.generate(&position, Stage::All, &mut moves).unwrap().is_none());
        let mover = game.mover(&position);
        for played in moves.iter() {
            let [expected, gain] =
                [&plain, &seen].map(|knowledge| f64::from(knowledge.gain(game.info(), played, mover)));
            assert!((gain - expected * ratio).abs() <= 2.0 + ratio * 16.0, "{gain} {expected}");
            gains += usize::from(gain > 0.0);
        }
        let chosen = ((number() + 0.5) * moves.len() as f32) as usize;
        game.play(&mut position, moves.get(chosen.min(moves.len() - 1)));
    }
    assert!(gains > 5);
}

/// In lines of action a capture helps neither player: what moves change is the measure of what is much.
#[test]
fn the_unit_is_not_less_than_what_moves_change() {
    let game = compiled::<512>("loa");
    let knowledge = Knowledge::learn(&game, &start(&game)).unwrap();
    assert!(knowledge.unit > 30, "{}", knowledge.unit);
}

/// Where captures are compulsory, a capture without choice is nothing special; an answer to check without choice is.
#[test]
fn compulsory_captures_are_not_extended() {
    let extensions = |name: &str| {
        let game = compiled::<512>(name);
        let report = Bench::new(&game).run(
            &start(&game),
            &Settings::new(Engine::NegaScout),
            &Limits::to_nodes(30_000),
        );
        report.statistics.forced_extensions
    };
    assert_eq!(extensions("checkers"), 0);
    assert!(extensions("chess") > 0);
}
