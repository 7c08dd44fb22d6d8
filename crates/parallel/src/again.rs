//! A search whose leading thread panics is begun again: what was found out by then is in the table, so little is done
//! twice. Where others can lead on they do; this is for searches in which they cannot.

use std::time::Duration;

use search::{Depth, Limits, Report, Settings, Statistics, TimeLimit};

/// So many times a search is begun at most: who panics every time does so for a reason that stays.
pub(crate) const ATTEMPTS: usize = 3;

/// What was done before a search was begun again.
pub(crate) struct Past {
    /// When the search was begun for the first time.
    began: Duration,
    /// How often it was begun again.
    restarts: usize,
    /// The last iteration that was told of.
    told: Depth,
    statistics: Statistics,
    lost: usize,
}

impl Past {
    /// Nothing was done so far.
    pub(crate) fn new(now: Duration) -> Past {
        Past { began: now, restarts: 0, told: Depth(0), statistics: Statistics::default(), lost: 0 }
    }

    /// An iteration was told of: the next beginning need not go through those before it.
    pub(crate) fn tell(&mut self, depth: Depth) {
        self.told = depth;
    }

    /// The search has no answer: so many threads were lost, and the others have done this.
    pub(crate) fn fail(&mut self, statistics: Statistics, lost: usize) {
        self.restarts += 1;
        self.statistics += statistics;
        self.lost += lost;
    }

    /// How often the search was begun again.
    pub(crate) fn restarts(&self) -> usize {
        self.restarts
    }

    /// Threads that were lost before.
    #[cfg(feature = "mpi")]
    pub(crate) fn lost(&self) -> usize {
        self.lost
    }

    /// Nodes that those have searched who were not lost.
    pub(crate) fn nodes(&self) -> u64 {
        self.statistics.nodes
    }

    /// What those have counted who were not lost.
    #[cfg(feature = "mpi")]
    pub(crate) fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// How the search is begun now, where it began like this for the first time, and what is left of its time. Nodes
    /// are those of the team.
    pub(crate) fn rest(&self, settings: &Settings, limits: &Limits, now: Duration) -> (Settings, Limits) {
        if self.restarts == 0 {
            return (*settings, *limits);
        }
        let spent = now.saturating_sub(self.began);
        let time = match limits.time {
            TimeLimit::Infinite => TimeLimit::Infinite,
            TimeLimit::Fixed(time) => TimeLimit::Fixed(time.saturating_sub(spent)),
            TimeLimit::Clock { remaining, increment, moves_to_go } => {
                TimeLimit::Clock { remaining: remaining.saturating_sub(spent), increment, moves_to_go }
            }
        };
        let first_depth = settings.first_depth.max(self.told.0);
        (Settings { first_depth, ..*settings }, Limits { time, ..*limits })
    }

    /// The report of all attempts, where this is that of the last one, in which so many threads were lost.
    pub(crate) fn complete(&self, report: Report, lost: usize, now: Duration) -> Report {
        if self.restarts == 0 {
            return Report { threads_lost: lost, ..report };
        }
        let mut statistics = self.statistics;
        statistics += report.statistics;
        let elapsed = now.saturating_sub(self.began);
        Report { nodes: statistics.nodes, statistics, elapsed, threads_lost: self.lost + lost, ..report }
    }
}

#[cfg(test)]
mod tests {
    use search::Engine;

    use super::*;

    #[test]
    fn time_that_is_spent_stays_spent_and_iterations_stay_told() {
        let (second, settings) = (Duration::from_secs(1), Settings::new(Engine::NegaScout));
        let limits = Limits { time: TimeLimit::Fixed(5 * second), ..Limits::to_depth(9) };
        let mut past = Past::new(second);
        past.tell(Depth(6));
        assert_eq!(past.rest(&settings, &limits, 3 * second), (settings, limits));
        past.fail(Statistics { nodes: 7, ..Statistics::default() }, 1);
        let (again, rest) = past.rest(&settings, &limits, 3 * second);
        assert_eq!((again.first_depth, rest.time), (6, TimeLimit::Fixed(3 * second)));
        assert_eq!((rest.depth, past.nodes()), (limits.depth, 7));
    }
}
