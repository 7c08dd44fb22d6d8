//! When a search has to end. Time comes in as a value: the caller brings a clock.

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

/// Lost on the way from the search to the program that keeps the clock.
pub const OVERHEAD: Duration = Duration::from_millis(15);
/// Moves that a game is expected to last unless it is said.
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
    /// Ask for nothing but a forced win within so many plies: every move is looked at, no estimate is believed. The
    /// search ends when there is one, or when it is certain that there is none.
    pub win_within: Option<i32>,
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
    /// When time began to count, and when it is up: nanoseconds on the search's clock; `u64::MAX` for never.
    began: AtomicU64,
    hard: AtomicU64,
    /// Nanoseconds after which no other iteration should begin.
    soft: AtomicU64,
}

impl Default for Control {
    fn default() -> Control {
        let [began, hard, soft] = [(); 3].map(|()| AtomicU64::new(u64::MAX));
        Control { stop: AtomicBool::new(false), began, hard, soft }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos().min(u128::from(u64::MAX)) as u64
}

impl Control {
    /// Asks the search to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    #[must_use]
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Makes ready for another search.
    pub fn reset(&self) {
        self.stop.store(false, Ordering::Relaxed);
        for word in [&self.began, &self.hard, &self.soft] {
            word.store(u64::MAX, Ordering::Relaxed);
        }
    }

    /// Says that time counts from now on: at the start, or when the move that was pondered on is played.
    pub fn start_clock(&self, now: Duration, time: TimeLimit) {
        let allotment = time.allotment();
        let soft = allotment.map_or(u64::MAX, |allotment| nanoseconds(allotment.soft));
        let hard = allotment.map_or(u64::MAX, |allotment| nanoseconds(now + allotment.hard));
        self.began.store(nanoseconds(now), Ordering::Relaxed);
        self.soft.store(soft, Ordering::Relaxed);
        self.hard.store(hard, Ordering::Relaxed);
    }

    /// Whether no other iteration should begin, if so many per cent of the usual time are to be used. A fixed time is
    /// always used in full.
    #[must_use]
    pub fn is_late(&self, now: Duration, per_cent: u32) -> bool {
        let load = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let (now, began, hard, soft) =
            (nanoseconds(now), load(&self.began), load(&self.hard), load(&self.soft));
        let is_fixed = began.saturating_add(soft) >= hard;
        let enough = if is_fixed { soft } else { soft / 100 * u64::from(per_cent) };
        now >= began.saturating_add(enough).min(hard)
    }

    /// Whether time is up.
    #[must_use]
    pub fn is_over(&self, now: Duration) -> bool {
        nanoseconds(now) >= self.hard.load(Ordering::Relaxed)
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

    #[test]
    fn a_clear_move_takes_less_of_a_clock_and_all_of_a_fixed_time() {
        let (control, second) = (Control::default(), Duration::from_secs(1));
        assert!(!control.is_late(second, 10), "the clock does not run");
        control.start_clock(second, TimeLimit::Fixed(second));
        let almost = Duration::from_millis(1999);
        assert!(
            !control.is_late(almost, 10) && !control.is_late(almost, 200) && control.is_late(2 * second, 200)
        );
        let limit =
            TimeLimit::Clock { remaining: 100 * second, increment: Duration::ZERO, moves_to_go: Some(10) };
        let Allotment { soft, hard } = limit.allotment().unwrap();
        control.start_clock(second, limit);
        assert!(control.is_late(second + soft / 2, 50) && !control.is_late(second + soft / 2, 100));
        assert!(control.is_late(second + soft, 100) && !control.is_late(second + soft, 150));
        assert!(control.is_late(second + hard, 1000));
    }
}
