//! Endings of chess that every club player wins, from the rules and their evaluation alone.

#![allow(clippy::unwrap_used)]

use crate::support::{Bench, compiled};
use game::record::Standing;
use game::{Colour, Game, Outcome, Record, fen};
use search::{Engine, Limits, Root, Settings};

/// Nodes a move; seconds have a hundred times as many.
const NODES: u64 = 4000;

/// Whether white wins if the engine plays both sides.
fn white_wins<G: Game>(bench: &Bench<'_, G>, text: &str) -> bool {
    let start = fen::read(bench.game.info(), text).unwrap();
    let mut record = Record::new(bench.game, start).unwrap();
    while matches!(record.standing(), Standing::Open) {
        let report = bench.run_root(
            &Root::of_record(&record),
            &Settings::new(Engine::NegaScout),
            &Limits::to_nodes(NODES),
        );
        record.play(&report.best.unwrap()).unwrap();
    }
    matches!(
        record.standing(),
        Standing::Finished(Outcome::Win, Colour::White) | Standing::Finished(Outcome::Loss, Colour::Black)
    )
}

#[test]
fn a_king_without_company_is_mated_within_fifty_moves() {
    let chess = compiled::<512>("chess");
    let bench = Bench::new(&chess);
    for text in
        ["8/8/6K1/8/3k4/8/8/7R w - - 0 1", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KBB5 w - - 0 1"]
    {
        assert!(white_wins(&bench, text), "{text}");
    }
}

#[test]
fn what_cannot_mate_is_worth_nothing() {
    let chess = compiled::<512>("chess");
    for text in [
        "8/8/3k4/8/8/3NK3/8/8 w - - 0 1",
        "8/8/3k4/8/8/3BK3/8/8 b - - 0 1",
        "8/8/3k4/8/8/3NKN2/8/8 b - - 0 1",
    ] {
        let position = chess.pack(&fen::read(chess.info(), text).unwrap());
        let worth = chess.evaluate(&position).unwrap();
        assert!(worth.abs() < 100, "{text}: {worth}");
    }
}
