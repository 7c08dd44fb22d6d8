//! Counting lines of play.

use crate::contract::{Game, RuleFault, Stage};
use crate::moves::MoveList;

/// What has been counted, and how.
pub struct Tally<'run> {
    /// Lines of the full length.
    pub leaves: u64,
    /// Positions, the first one not included.
    pub nodes: u64,
    /// Lines that came to the end of the game.
    pub ended: u64,
    /// Count the moves of the last ply without playing them; `ended` is then not complete.
    pub bulk: bool,
    /// Whether it was stopped before all was counted.
    pub stopped: bool,
    stop: &'run dyn Fn() -> bool,
}

impl<'run> Tally<'run> {
    /// Nothing counted yet. `stop` is asked now and then whether to give up.
    #[must_use]
    pub fn new(bulk: bool, stop: &'run dyn Fn() -> bool) -> Tally<'run> {
        Tally { leaves: 0, nodes: 0, ended: 0, bulk, stopped: false, stop }
    }

    /// Asks whether to give up, and remembers the answer.
    pub fn should_stop(&mut self) -> bool {
        self.stopped = self.stopped || (self.stop)();
        self.stopped
    }
}

/// Counts by generating and playing moves: what [`Game::perft`] does unless a game knows better.
///
/// # Errors
/// When the rules go wrong.
pub fn count<G: Game + ?Sized>(
    game: &G,
    position: &G::Position,
    depth: u32,
    tally: &mut Tally<'_>,
) -> Result<(), RuleFault> {
    let mut lists = vec![MoveList::new(); depth as usize];
    below(game, position, &mut lists, tally)
}

fn below<G: Game + ?Sized>(
    game: &G,
    position: &G::Position,
    lists: &mut [MoveList],
    tally: &mut Tally<'_>,
) -> Result<(), RuleFault> {
    let Some((moves, deeper)) = lists.split_first_mut() else {
        tally.leaves += 1;
        return Ok(());
    };
    if deeper.is_empty() && tally.bulk {
        let count = game.count(position, moves)? as u64;
        tally.leaves += count;
        tally.nodes += count;
        return Ok(());
    }
    if deeper.len() > 1 && tally.should_stop() {
        return Ok(());
    }
    if game.generate(position, Stage::All, moves)?.is_some() {
        tally.ended += 1;
        return Ok(());
    }
    let goes_on = game.info().players != 2;
    for candidate in moves.iter() {
        tally.nodes += 1;
        let ends = candidate.head.outcome().is_some() && !goes_on;
        tally.ended += u64::from(ends);
        if ends && !deeper.is_empty() {
            continue;
        }
        let mut child = position.clone();
        game.play(&mut child, candidate);
        std::hint::black_box(&child);
        below(game, &child, deeper, tally)?;
    }
    Ok(())
}
