//! Transposition-driven scheduling for two players, after Kishimoto and Schaeffer's TDSAB (2002): null windows
//! alone, driven by MTD(f). Every position has a home, by its signature; whoever wants to know whether it is worth
//! at least so much asks there.
//!
//! # How a question is answered
//!
//! The home looks in its part of the table, where bounds are kept by position and depth. What that does not answer
//! becomes a *job*: the moves are found and the homes of the positions behind them are asked in turn, one depth
//! less. Where a cut is expected the first move is asked about alone, and all others at once when it has not cut
//! (young brothers wait); elsewhere all at once. Positions with little depth left are searched where they are. A
//! job is done when a move is good enough or all have been refuted; then all who asked are answered. The leader
//! (processor 0) asks about the root, with one window after another, until both sides meet.
//!
//! - *Several ask the same question.* They wait for the same job: all windows are null, so the question is the same
//!   if depth and bound are.
//! - *Nobody waits for ever.* A job waits only for jobs of less depth.
//! - *A cut.* What was asked about the other moves is taken back (`Drop`); a job that nobody waits for any more is
//!   dropped, and takes back what it has asked in turn.
//!
//! Races, and why they are harmless: an `Answer` that meets a `Drop` finds no job and is forgotten; a `Drop` that
//! meets an `Answer` finds nobody waiting. Numbers of jobs are never used again, so no message is taken for one
//! about another job. Messages of one sender keep their order, so no `Drop` overtakes its question.
//!
//! How a position was reached does not travel with it: this is for games in which no position comes again, or in
//! which that does not matter. Values are then those of NegaMax.

mod protocol;
mod worker;

use std::time::Duration;

use fabric::simulation::{Machine, Stuck};
use fabric::{Processor, threads};
use game::Game;
use search::Score;

use worker::{Share, Worker};

/// Why there is no value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TdsabError {
    /// The rules went wrong.
    #[error("the rules of the game went wrong in the search")]
    Fault,
    /// A processor died.
    #[error("a processor died; what it knew and had to do is lost, so there is no value")]
    Lost,
    /// All processors waited for each other.
    #[error("{0}")]
    Stuck(#[from] Stuck),
}

/// What is searched.
pub struct Task<'task, G: Game> {
    /// The game.
    pub game: &'task G,
    /// The position.
    pub root: &'task G::Position,
    /// How deep.
    pub depth: u32,
    /// Positions with no more than this depth left are searched where they are.
    pub local_depth: u32,
    /// What the root may be worth.
    pub guess: Score,
    /// What a node costs on a virtual processor.
    pub node_cost: Duration,
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valued {
    /// The value of the root.
    pub score: Score,
    /// Positions that all processors looked at.
    pub nodes: u64,
}

/// Searches on so many threads.
///
/// # Errors
/// When the rules go wrong or a thread panics.
pub fn on_threads<G: Game>(task: &Task<'_, G>, count: usize) -> Result<Valued, TdsabError> {
    let program = |here: &dyn Processor| Worker::new(here, task).run();
    gather(threads::run(count, search::STACK_BYTES, &program))
}

/// Searches on a virtual machine; the time that it took there comes along.
///
/// # Errors
/// When the rules go wrong or a processor dies.
pub fn simulated<G: Game>(task: &Task<'_, G>, machine: &Machine) -> Result<(Valued, Duration), TdsabError> {
    let machine = Machine { on_switch: game::stack::set_limit, ..machine.clone() };
    let outcome = machine.run(&|here: &dyn Processor| Worker::new(here, task).run())?;
    Ok((gather(outcome.results)?, outcome.time))
}

fn gather(shares: Vec<Option<Share>>) -> Result<Valued, TdsabError> {
    let nodes = shares.iter().flatten().map(|share| share.nodes).sum();
    let answer = shares.into_iter().flatten().find_map(|share| share.score);
    answer.unwrap_or(Err(TdsabError::Lost)).map(|score| Valued { score, nodes })
}
