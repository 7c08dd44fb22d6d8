//! A simple opponent for `play`: it looks a few moves ahead within a time limit. It is here so that rules can
//! be tried at once; real engines will have a room of their own.

mod alpha_beta;
mod puzzle;

use std::time::{Duration, Instant};

use game::record::Record;
use game::{Game, Move, RuleFault};

use crate::interrupt;

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
    record: &Record<'_, G>,
    limits: Limits,
    random: &mut fastrand::Rng,
) -> Result<Option<Thought>, RuleFault> {
    if record.legal().is_empty() {
        return Ok(None);
    }
    let clock = Clock::new(limits.time);
    match record.game().info().players {
        2 => alpha_beta::choose(record, limits.depth, clock, random),
        _ => puzzle::choose(record, limits.depth, clock, random),
    }
    .map(Some)
}

/// No search is deeper.
const DEPTH_MAX: u32 = 100;

/// Why a search ended early.
enum Halt {
    /// Time is up, or Ctrl-C.
    Time,
    /// A rule went wrong.
    Fault(RuleFault),
}

impl From<RuleFault> for Halt {
    fn from(fault: RuleFault) -> Halt {
        Halt::Fault(fault)
    }
}

/// Counts nodes and looks at the time now and then.
struct Clock {
    end: Instant,
    nodes: u64,
}

impl Clock {
    /// Nodes between two looks at the time.
    const INTERVAL: u64 = 32;

    fn new(time: Duration) -> Clock {
        Clock { end: Instant::now() + time, nodes: 0 }
    }

    fn tick(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        let late = || self.nodes.is_multiple_of(Clock::INTERVAL) && Instant::now() >= self.end;
        if interrupt::requested() || late() { Err(Halt::Time) } else { Ok(()) }
    }
}
