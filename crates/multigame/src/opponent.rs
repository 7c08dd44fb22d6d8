//! Whom `play` plays with: an engine of `search` in games for two, a solver in puzzles.

use std::time::Duration;

use anyhow::Result;
use game::{Game, Move, RuleFault};
use protocol::Session;
use search::{Depth, TimeLimit};

use crate::interrupt;
use crate::puzzle::{self, Verdict};

/// How far and how long to look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Plies to look ahead at most.
    pub(crate) depth: Option<u32>,
    /// Time for a move at most.
    pub(crate) time: Duration,
}

/// A move and what the opponent thinks of it.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    /// The move it would play.
    pub(crate) best: Move,
    /// What it expects, in words.
    pub(crate) expectation: String,
    /// How many plies it looked ahead.
    pub(crate) depth: u32,
    /// Positions it looked at.
    pub(crate) nodes: u64,
}

/// Chooses a move; `None` when there is none.
pub(crate) fn choose<G: Game>(
    session: &Session<'_, G>,
    limits: Limits,
    random: &mut fastrand::Rng,
) -> Result<Option<Thought>> {
    if session.record().legal().is_empty() {
        return Ok(None);
    }
    match session.info().players {
        2 => engine(session, limits),
        _ => Ok(Some(solver(session, limits, random)?)),
    }
}

fn engine<G: Game>(session: &Session<'_, G>, limits: Limits) -> Result<Option<Thought>> {
    let limits = search::Limits {
        depth: limits.depth.map(|depth| Depth(depth.min(200) as i32)),
        time: TimeLimit::Fixed(limits.time),
        ..search::Limits::default()
    };
    let task = session.task(limits, Vec::new())?;
    let control = session.control().clone();
    let _stopper = interrupt::on_request(move || control.stop());
    let report = task.run(&mut |_, _| {})?.report;
    let expectation = report.score.to_string();
    let (depth, nodes) = (report.depth.0.max(0) as u32, report.nodes);
    Ok(report.best.map(|best| Thought { best, expectation, depth, nodes }))
}

fn solver<G: Game>(
    session: &Session<'_, G>,
    limits: Limits,
    random: &mut fastrand::Rng,
) -> Result<Thought, RuleFault> {
    let wanted = puzzle::Limits { length: limits.depth, time: Some(limits.time), nodes: None };
    let found = puzzle::solve(session.game(), session.record().position(), wanted, &mut |_, _| {})?;
    let nodes = found.nodes;
    Ok(match found.verdict {
        Verdict::Solved(moves) => {
            let depth = moves.len() as u32;
            let expectation = format!("solved in {depth} moves");
            Thought { best: moves[0].clone(), expectation, depth, nodes }
        }
        verdict => {
            let expectation = match verdict {
                Verdict::Unsolvable => "there is no solution",
                _ => "no solution found in time",
            };
            let best = nearest(session, random)?;
            Thought { best, expectation: expectation.to_owned(), depth: found.bound, nodes }
        }
    })
}

/// The move that looks nearest to a solution.
fn nearest<G: Game>(session: &Session<'_, G>, random: &mut fastrand::Rng) -> Result<Move, RuleFault> {
    let (game, legal) = (session.game(), session.record().legal());
    let mut order: Vec<usize> = (0..legal.len()).collect();
    random.shuffle(&mut order);
    let mut best = (i32::MAX, order[0]);
    let mut position = session.record().position().clone();
    for index in order {
        game.play(&mut position, legal.get(index));
        let bound = game.evaluate(&position)?;
        game.take_back(&mut position, legal.get(index));
        best = best.min((bound, index));
    }
    Ok(legal.get(best.1).to_move())
}
