//! Speedup, and what it is lost by: Feldmann's measures, summed over positions first and divided then, so that long
//! searches count for more.

use std::time::Duration;

use game::RuleFault;
use parallel::Measures;
use parallel::stealing::SimulationError;

use crate::conditions::Conditions;
use crate::puzzles::PuzzleError;

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The rules went wrong.
    #[error("{0}")]
    Fault(Box<RuleFault>),
    /// The simulation went wrong.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
    /// A puzzle went wrong.
    #[error("{0}")]
    Puzzle(#[from] PuzzleError),
    /// A processor died that was not to: what was measured is not what was asked for.
    #[error(
        "processor {processor} of {processors} has panicked (its message is above): this is a mistake of ours, and \
         there are no figures"
    )]
    Panicked {
        /// Which processor, from 0.
        processor: usize,
        /// Of how many.
        processors: usize,
    },
    /// Another process has no figures.
    #[error("{0}")]
    Elsewhere(#[from] Elsewhere),
    /// An exact search on several processors has another value than the sequential one.
    #[error("position {position} on {processors} processors: the value is {found}, and should be {expected}")]
    WrongValue {
        /// Which position, from 1.
        position: usize,
        /// On how many processors.
        processors: usize,
        /// What came out.
        found: String,
        /// What came out on one processor.
        expected: String,
    },
}

/// Something went wrong in another process, which says what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("another process of the cluster has failed: see its message")]
pub struct Elsewhere;

/// One search.
#[derive(Clone, Default, Debug)]
pub struct Run {
    /// Time, virtual or real.
    pub seconds: f64,
    /// Nodes.
    pub nodes: u64,
    /// What all processors did, summed up.
    pub measures: Measures,
    /// What came out, in words; different scores have different ones.
    pub score: String,
}

/// What so many processors came to.
#[derive(Clone, Debug)]
pub struct Row {
    /// How many.
    pub processors: usize,
    /// How many times as fast as one: sum of times by sum of times.
    pub speedup: f64,
    /// The median of the speedups of single positions.
    pub speedup_median: f64,
    /// Nodes more than one processor needs, as a part of those.
    pub search_overhead: f64,
    /// The part of their time in which processors search.
    pub load: f64,
    /// Nodes per second of searching, as a part of what one processor does.
    pub performance: f64,
    /// Time of all positions.
    pub seconds: f64,
    /// Nodes of all positions.
    pub nodes: u64,
    /// What all processors did, summed up.
    pub measures: Measures,
}

impl Row {
    /// Speedup by processors.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        self.speedup / self.processors as f64
    }

    /// A part of the time of all processors.
    #[must_use]
    pub fn part(&self, time: Duration) -> f64 {
        time.as_secs_f64() / (self.processors as f64 * self.seconds).max(f64::MIN_POSITIVE)
    }

    /// What the time of all processors went into, by name: together 1. What searches did is known of virtual
    /// processors that search games for two; of the others their sum is, the load.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, Option<f64>); 7] {
        let Measures { search, expansion, table, wait_for_slaves, synchronise, look_for_work, .. } =
            self.measures;
        let is_known = expansion > Duration::ZERO;
        let of_search = |time: Duration| is_known.then(|| self.part(time));
        let all = search + wait_for_slaves + synchronise + look_for_work;
        [
            ("nodes_share", of_search(expansion)),
            ("table_share", of_search(table)),
            ("messages_share", of_search(search.saturating_sub(expansion + table))),
            ("waiting_for_slaves", Some(self.part(wait_for_slaves))),
            ("synchronisation", Some(self.part(synchronise))),
            ("no_work", Some(self.part(look_for_work))),
            // Before they begin, after they end, and when they are dead.
            ("other", Some((1.0 - self.part(all)).max(0.0))),
        ]
    }

    /// The figures of these runs beside those of one processor.
    #[must_use]
    pub fn new(processors: usize, runs: &[Run], alone: &[Run]) -> Row {
        let sum = |runs: &[Run]| -> (f64, u64) {
            (runs.iter().map(|run| run.seconds).sum(), runs.iter().map(|run| run.nodes).sum())
        };
        let ((seconds, nodes), (seconds_alone, nodes_alone)) = (sum(runs), sum(alone));
        let mut measures = Measures::default();
        runs.iter().for_each(|run| measures += &run.measures);
        let searching = measures.search.as_secs_f64();
        let mut single: Vec<f64> =
            runs.iter().zip(alone).map(|(run, alone)| alone.seconds / run.seconds.max(1e-12)).collect();
        single.sort_by(f64::total_cmp);
        let ratio = |above: f64, below: f64| if below > 0.0 { above / below } else { 0.0 };
        Row {
            processors,
            speedup: ratio(seconds_alone, seconds),
            speedup_median: median(&single),
            search_overhead: ratio(nodes as f64, nodes_alone as f64) - 1.0,
            load: ratio(searching, processors as f64 * seconds),
            performance: ratio(ratio(nodes as f64, searching), ratio(nodes_alone as f64, seconds_alone)),
            seconds,
            nodes,
            measures,
        }
    }
}

/// Checks that an exact search has the value of the sequential one.
///
/// # Errors
/// When it has not.
pub fn check(
    conditions: &Conditions,
    position: usize,
    processors: usize,
    run: &Run,
    alone: &Run,
) -> Result<(), LabError> {
    if !conditions.is_exact() || run.score == alone.score {
        return Ok(());
    }
    let (found, expected) = (run.score.clone(), alone.score.clone());
    Err(LabError::WrongValue { position, processors, found, expected })
}

pub(crate) fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seconds: f64, nodes: u64, searching: f64) -> Run {
        let search = Duration::from_secs_f64(searching);
        let measures = Measures { search, nodes, ..Measures::default() };
        Run { seconds, nodes, measures, score: String::new() }
    }

    /// Speedup is processors x performance x load / (1 + overhead), by definition.
    #[test]
    fn the_measures_explain_the_speedup() {
        let alone = [run(100.0, 1000, 100.0), run(300.0, 3000, 300.0)];
        let together = [run(10.0, 1200, 140.0), run(20.0, 3400, 280.0)];
        let row = Row::new(16, &together, &alone);
        assert!((row.speedup - 400.0 / 30.0).abs() < 1e-9);
        assert!((row.speedup_median - 12.5).abs() < 1e-9);
        let explained = 16.0 * row.performance * row.load / (1.0 + row.search_overhead);
        assert!((row.speedup - explained).abs() < 1e-9, "{} {explained}", row.speedup);
    }

    #[test]
    fn all_time_has_a_name() {
        let alone = [run(100.0, 1000, 100.0)];
        let mut together = [run(10.0, 1200, 24.0)];
        let seconds = Duration::from_secs;
        let sum = |row: &Row| row.parts().iter().filter_map(|(_, part)| *part).sum::<f64>();
        together[0].measures.look_for_work = seconds(10);
        let unknown = Row::new(4, &together, &alone);
        assert_eq!(unknown.parts()[..3].iter().filter(|(_, part)| part.is_none()).count(), 3);
        assert!((sum(&unknown) + unknown.load - 1.0).abs() < 1e-9);
        (together[0].measures.expansion, together[0].measures.table) = (seconds(16), seconds(6));
        let known = Row::new(4, &together, &alone);
        let parts = known.parts().map(|(_, part)| (part.unwrap() * 1000.0).round() / 1000.0);
        assert_eq!(parts, [0.4, 0.15, 0.05, 0.0, 0.0, 0.25, 0.15]);
        assert!((sum(&known) - 1.0).abs() < 1e-9);
    }
}
