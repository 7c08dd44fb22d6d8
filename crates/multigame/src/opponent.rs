//! Whom `play` plays with: an engine of `search` in games for two, a solver in puzzles.

use std::time::Duration;

use anyhow::Result;
use game::{Game, Move, RuleFault};
use protocol::{EngineOptions, Session, Variation};
use search::one_player::Verdict;
use search::{Depth, TimeLimit};

use crate::interrupt;
use crate::solver::{self, Wishes};

/// So many of the best moves are looked at where games shall differ, and so many plies long.
const VARIETY_MOVES: usize = 3;
const VARIETY_PLIES: usize = 8;

/// How far and how long to look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Plies to look ahead at most.
    pub(crate) depth: Option<u32>,
    /// Time for a move at most.
    pub(crate) time: Duration,
}

/// A move and what the opponent thinks of it.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The move it would play.
    pub(crate) best: Move,
    /// What it expects, in words.
    pub(crate) expectation: String,
    /// How many plies it looked ahead.
    pub(crate) depth: u32,
    /// Positions it looked at.
    pub(crate) nodes: u64,
    /// False for a guess: no solution of the puzzle is known.
    pub(crate) is_found: bool,
}

impl Choice {
    /// Why there is no move to advise, as a sentence.
    pub(crate) fn excuse(&self) -> Option<String> {
        let mut letters = self.expectation.chars();
        let first = letters.next().filter(|_| !self.is_found)?;
        Some(format!("{}{}.", first.to_uppercase(), letters.as_str()))
    }
}

/// Has all that a search needs compiled before the first one, so that its time is time for searching.
pub(crate) fn get_ready<G: Game>(session: &mut Session<'_, G>) -> Result<()> {
    let control = session.control().clone();
    let _stopper = interrupt::on_request(move || control.stop());
    Ok(session.warm_up_once()?)
}

/// Chooses a move; `None` when there is none.
pub(crate) fn choose<G: Game>(
    session: &mut Session<'_, G>,
    limits: Allowance,
    random: &mut fastrand::Rng,
) -> Result<Option<Choice>> {
    if session.record().legal().is_empty() {
        return Ok(None);
    }
    match session.info().players {
        2 => {
            get_ready(session)?;
            engine(session, limits)
        }
        _ => Ok(Some(solver(session, limits, random)?)),
    }
}

fn engine<G: Game>(session: &Session<'_, G>, limits: Allowance) -> Result<Option<Choice>> {
    let thought = run(session, limits)?;
    crate::lines::tell_remarks(&thought);
    let report = thought.report;
    let expectation = report.score.to_string();
    let (depth, nodes) = (report.depth.0.max(0) as u32, report.nodes);
    Ok(report.best.map(|best| Choice { best, expectation, depth, nodes, is_found: true }))
}

fn run<G: Game>(session: &Session<'_, G>, limits: Allowance) -> Result<protocol::Thought> {
    let limits = search::Limits {
        depth: limits.depth.map(|depth| Depth(depth.min(200) as i32)),
        time: TimeLimit::Fixed(limits.time),
        ..search::Limits::default()
    };
    let task = session.task(limits, Vec::new())?;
    let control = session.control().clone();
    let _stopper = interrupt::on_request(move || control.stop());
    Ok(task.run(&mut |_, _| {})?)
}

/// Chooses a move of a game for two as [`choose`] does, but early in the game not always the best one: by chance, one
/// of the few best.
pub(crate) fn choose_varied<G: Game>(
    session: &mut Session<'_, G>,
    limits: Allowance,
    random: &mut fastrand::Rng,
) -> Result<Option<Choice>> {
    let early = session.record().moves().len() < VARIETY_PLIES;
    let limited = session.options().limited_level().is_some();
    if session.info().players != 2 || !early || limited || session.record().legal().is_empty() {
        return choose(session, limits, random);
    }
    get_ready(session)?;
    let usual = session.options().clone();
    session.set_options(EngineOptions { multi_pv: VARIETY_MOVES, ..usual.clone() });
    let thought = run(session, limits);
    session.set_options(usual);
    let thought = thought?;
    let Some(line) = pick(&thought.lines, random.u64(..)) else { return Ok(None) };
    let Some(best) = line.moves.first().cloned() else { return Ok(None) };
    let (depth, nodes) = (line.depth.0.max(0) as u32, thought.report.nodes);
    Ok(Some(Choice { best, expectation: line.score.to_string(), depth, nodes, is_found: true }))
}

/// The best line half of the time, the second one a quarter of it, and so on; a lost one only if there is no other.
pub(crate) fn pick(lines: &[Variation], random: u64) -> Option<&Variation> {
    let lost = |line: &Variation| line.score.distance().is_some_and(|plies| plies < 0);
    let good = lines.iter().take_while(|line| !lost(line)).count().max(1).min(lines.len());
    lines.get((random.trailing_ones() as usize).min(good.checked_sub(1)?))
}

fn solver<G: Game>(
    session: &Session<'_, G>,
    limits: Allowance,
    random: &mut fastrand::Rng,
) -> Result<Choice> {
    let wishes = Wishes::within(Some(limits.time));
    let found = solver::solve(session.game(), session.record().position(), &wishes, &mut |_, _| {})?.found;
    let nodes = found.nodes;
    Ok(match found.verdict {
        Verdict::Solved(lines) if lines.first().is_some_and(|line| !line.is_empty()) => {
            let depth = lines[0].len() as u32;
            let expectation = format!("solved in {depth} moves");
            Choice { best: lines[0][0].clone(), expectation, depth, nodes, is_found: true }
        }
        verdict => {
            let expectation = match verdict {
                Verdict::Unsolvable => "there is no solution",
                Verdict::Solved(_) => "this is solved already",
                _ => "no solution found in time",
            };
            let best = nearest(session, random)?;
            let expectation = expectation.to_owned();
            Choice { best, expectation, depth: found.bound, nodes, is_found: false }
        }
    })
}

/// The move that looks nearest to a solution.
fn nearest<G: Game>(session: &Session<'_, G>, random: &mut fastrand::Rng) -> Result<Move, RuleFault> {
    let (game, legal) = (session.game(), session.record().legal());
    let mut order: Vec<usize> = (0..legal.len()).collect();
    random.shuffle(&mut order);
    let mut best = (u32::MAX, order[0]);
    let mut position = session.record().position().clone();
    for index in order {
        game.play(&mut position, legal.get(index));
        let bound = game.lower_bound(&position)?;
        game.take_back(&mut position, legal.get(index));
        best = best.min((bound, index));
    }
    Ok(legal.get(best.1).to_move())
}
