//! The version that results carry: that of the release, and a number by which programs are told apart that search in
//! other ways.

use std::sync::OnceLock;

use anyhow::{Context, Result};
use game::{Game, fen};
use lab::fingerprint::{Sample, fingerprint};
use lab::puzzles::Puzzles;
use lab::{Positions, Subject};
use search::one_player::PieceByPiece;

use super::layouts::{Wanted, motion};

/// A position with captures, checks and quiet moves.
const CHESS: &str = "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1";

/// The version of this program.
pub(super) fn version() -> Result<&'static str> {
    static VERSION: OnceLock<String> = OnceLock::new();
    if let Some(known) = VERSION.get() {
        return Ok(known);
    }
    let found = format!("{}+{:08x}", env!("CARGO_PKG_VERSION"), number()?);
    Ok(VERSION.get_or_init(|| found))
}

fn number() -> Result<u32> {
    let chess = native::NativeChess::new();
    let position = fen::read(chess.info(), CHESS).map_err(|error| anyhow::anyhow!("{error}"))?;
    let start = chess.info().start.clone().context("chess has a start")?;
    let chess = Positions::new(&chess, &start, &[position])?;
    let puzzle = native::NativeSliding::<4, 1>::new();
    let motion = motion(&puzzle)?;
    let solved = puzzle.info().start.clone().context("the 15-puzzle has a start")?;
    let wanted = Wanted { suite: Some("korf15"), first: None, only: Some(12), seed: 1 };
    let states = wanted.states(&puzzle, &motion, &solved)?;
    let puzzle = Puzzles { name: "puzzle15", motion: &motion, bounds: &PieceByPiece::new(&motion), states };
    let sample = |subject, depth, is_puzzle| Sample { subject, depth, is_puzzle };
    let samples: [(&dyn Subject, i32, bool); 2] = [(&chess, 2, false), (&puzzle, 37, true)];
    Ok(fingerprint(&samples.map(|(subject, depth, is_puzzle)| sample(subject, depth, is_puzzle)))?)
}
