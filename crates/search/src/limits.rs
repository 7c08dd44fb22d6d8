//! When a search has to end. Time comes in as a value: whoever calls brings a clock.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::depth::Depth;

/// Tells the time since some fixed moment.
pub trait Clock: Sync {
    /// The time now; never less than before.
    fn now(&self) -> Duration;
}

impl<F: Fn() -> Duration + Sync> Clock for F {
    fn now(&self) -> Duration {
        self()
    }
}

/// A clock that stands still: for searches without a limit of time.
#[derive(Clone, Copy, Default, Debug)]
pub struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// How much time there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeLimit {
    /// As much as it takes.
    #[default]
    Infinite,
    /// This long for this move.
    Fixed(Duration),
    /// A game clock.
    Clock {
        /// What is left.
        remaining: Duration,
        /// What is added after each move.
        increment: Duration,
        /// Moves to the next time control; `None` when the rest is for the rest of the game.
        moves_to_go: Option<u32>,
    },
}

/// Time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// Do not begin another iteration after this.
    pub soft: Duration,
    /// Stop whatever is going on.
    pub hard: Duration,
}

/// Lost on the way from the search to whoever looks at the clock.
pub const OVERHEAD: Duration = Duration::from_millis(15);
/// Moves that a game is expected to last when nobody says.
const MOVES_EXPECTED: u32 = 30;

impl TimeLimit {
    /// How long to think; `None` without a limit.
    #[must_use]
    pub fn allotment(self) -> Option<Allotment> {
        match self {
            TimeLimit::Infinite => None,
            TimeLimit::Fixed(time) => Some(Allotment { soft: time, hard: time }),
            TimeLimit::Clock { remaining, increment, moves_to_go } => {
                let moves = moves_to_go.unwrap_or(MOVES_EXPECTED).clamp(1, 60);
                let usable = remaining.saturating_sub(OVERHEAD);
                let share = usable / moves + increment * 3 / 4;
                // With one move to go the whole rest may be used; otherwise a part must stay.
                let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
                Some(Allotment { soft: (share * 3 / 5).min(most), hard: (share * 5 / 2).min(most) })
            }
        }
    }
}

/// When to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The last iteration.
    pub depth: Option<Depth>,
    /// Nodes, quiescence included.
    pub nodes: Option<u64>,
    /// Time.
    pub time: TimeLimit,
    /// The opponent is still thinking: time does not count before [`Control::start_clock`].
    pub ponder: bool,
}

impl Limits {
    /// A search to this depth.
    #[must_use]
    pub fn to_depth(depth: i32) -> Limits {
        Limits { depth: Some(Depth(depth)), ..Limits::default() }
    }

    /// A search of this many nodes.
    #[must_use]
    pub fn to_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}

/// What others may tell a search while it runs. The protocol writes, the search reads; nothing else is
/// published through these words, so relaxed order suffices.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// Nanoseconds on the search's clock; `u64::MAX` for never.
    soft: AtomicU64,
    hard: AtomicU64,
}

impl Default for Control {
    fn default() -> Control {
        Control {
            stop: AtomicBool::new(false),
            soft: AtomicU64::new(u64::MAX),
            hard: AtomicU64::new(u64::MAX),
        }
    }
}

impl Control {
    /// Asks the search to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Makes ready for another search.
    pub fn reset(&self) {
        self.stop.store(false, Ordering::Relaxed);
        self.soft.store(u64::MAX, Ordering::Relaxed);
        self.hard.store(u64::MAX, Ordering::Relaxed);
    }

    /// Says that time counts from now on: at the start, or when the move that was pondered on is played.
    pub fn start_clock(&self, now: Duration, time: TimeLimit) {
        let at = |time: Duration| (now + time).as_nanos().min(u128::from(u64::MAX)) as u64;
        let allotment = time.allotment();
        self.soft.store(allotment.map_or(u64::MAX, |allotment| at(allotment.soft)), Ordering::Relaxed);
        self.hard.store(allotment.map_or(u64::MAX, |allotment| at(allotment.hard)), Ordering::Relaxed);
    }

    /// Whether no other iteration should begin.
    #[must_use]
    pub fn is_late(&self, now: Duration) -> bool {
        now.as_nanos() >= u128::from(self.soft.load(Ordering::Relaxed))
    }

    /// Whether time is up.
    #[must_use]
    pub fn is_over(&self, now: Duration) -> bool {
        now.as_nanos() >= u128::from(self.hard.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shared_out_and_never_used_up() {
        let seconds = Duration::from_secs;
        for moves_to_go in [None, Some(1), Some(2), Some(40)] {
            for remaining in [Duration::ZERO, Duration::from_millis(5), seconds(1), seconds(300)] {
                for increment in [Duration::ZERO, seconds(2)] {
                    let limit = TimeLimit::Clock { remaining, increment, moves_to_go };
                    let allotment = limit.allotment().unwrap();
                    assert!(allotment.soft <= allotment.hard);
                    assert!(allotment.hard <= remaining.saturating_sub(OVERHEAD), "{limit:?} {allotment:?}");
                }
            }
        }
    }
}
