//! What a search finds out about a game by itself.

#![allow(clippy::unwrap_used)]

use crate::support::{Bench, compiled, start};
use jit::{Compiled, Options};
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

/// In lines of action nobody is glad of a capture: what moves change is the measure of what is much.
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
