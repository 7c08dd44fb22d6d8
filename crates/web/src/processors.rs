//! Processors over time: what each thread of a search did in the last seconds, busy and idle by cause; and the same
//! of virtual processors in virtual time. Intervals are too many to be sent: a column is the shares of a piece of
//! time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fabric::simulation::{Machine, Network};
use game::{Game, RuleFault};
use parallel::stealing::{Laboratory, Policy, SimulationError, TableKind, Task, simulated};
use parallel::tree::{Growth, Tree};
use parallel::{Activity, Interval, Timeline};
use search::{Engine, Knowledge, Limits, Root, Settings};
use serde_json::{Value, json};

use crate::jobs::Job;
use crate::seat::{Stop, words};
use crate::tree::{self, NODES_SEEN_MAX, PLIES_SEEN, SONS_MAX};

/// The time of a column, and how many are remembered: twelve seconds.
const COLUMN: Duration = Duration::from_millis(100);
const COLUMNS_MAX: usize = 120;
/// Intervals of a thread that wait for a reader: some megabytes for all.
const INTERVALS_MAX: usize = 1 << 14;

/// Virtual processors at most, and the nodes that all of them search together.
const VIRTUAL_MAX: usize = 64;
const VIRTUAL_NODES_MAX: u64 = 300_000;
const VIRTUAL_DEPTH_MAX: u32 = 12;
const VIRTUAL_TABLE_BYTES: usize = 1 << 18;
/// What a node costs on a virtual processor: about as much as on a real one.
const NODE_COST: Duration = Duration::from_micros(2);

const CAUSES: usize = Activity::NAMED.len();

/// Time by cause.
type Shares = [Duration; CAUSES];

/// What all processors did, in columns of time.
struct Columns {
    /// Each with the shares of every processor.
    columns: VecDeque<Vec<Shares>>,
    /// The number of the first one that is still remembered.
    first: usize,
    /// The time of one.
    width: Duration,
    began: Duration,
    whole: Vec<Shares>,
}

impl Columns {
    fn new(processors: usize, began: Duration, width: Duration) -> Columns {
        let whole = vec![Shares::default(); processors];
        Columns { columns: VecDeque::new(), first: 0, width, began, whole }
    }

    fn number(&self, at: Duration) -> usize {
        (at.saturating_sub(self.began).as_nanos() / self.width.as_nanos().max(1)) as usize
    }

    /// Makes room for the time until now; what is too long ago is forgotten.
    fn reach(&mut self, now: Duration) {
        while self.first + self.columns.len() <= self.number(now) {
            self.columns.push_back(vec![Shares::default(); self.whole.len()]);
            if self.columns.len() > COLUMNS_MAX {
                self.columns.pop_front();
                self.first += 1;
            }
        }
    }

    fn add(&mut self, interval: &Interval) {
        let Interval { processor, from, to, what } = *interval;
        let Some(whole) = self.whole.get_mut(processor.index()) else { return };
        whole[what as usize] += to.saturating_sub(from);
        self.reach(to);
        for number in self.number(from).max(self.first)..=self.number(to) {
            let start = self.began + self.width * number as u32;
            let share = to.min(start + self.width).saturating_sub(from.max(start));
            self.columns[number - self.first][processor.index()][what as usize] += share;
        }
    }

    fn told(&self) -> Value {
        let width = self.width.as_secs_f64();
        let share = |time: &Duration| (1000.0 * time.as_secs_f64() / width).round() as u32;
        let lanes: Vec<Value> = (0..self.whole.len())
            .map(|processor| {
                let columns: Vec<Vec<u32>> =
                    self.columns.iter().map(|column| column[processor].iter().map(share).collect()).collect();
                let whole: Vec<f64> = self.whole[processor].iter().map(Duration::as_secs_f64).collect();
                json!({ "columns": columns, "seconds": whole })
            })
            .collect();
        json!({
            "causes": Activity::NAMED.map(|(name, _)| name),
            "first": self.first,
            "column": width,
            "lanes": lanes,
        })
    }
}

/// The threads of a search that may still run.
pub(crate) struct Processors {
    timeline: Arc<Timeline>,
    /// When the clock of the search began.
    epoch: Instant,
    columns: Columns,
    nodes: Growth,
}

impl Processors {
    /// For so many threads of a search that begins at this time of its clock; and what it has to fill.
    pub(crate) fn watching(threads: usize, now: Duration) -> (Processors, Arc<Timeline>) {
        let timeline =
            Arc::new(Timeline::with_most(threads, INTERVALS_MAX).with_nodes(PLIES_SEEN, NODES_SEEN_MAX));
        let epoch = Instant::now().checked_sub(now).unwrap_or_else(Instant::now);
        let columns = Columns::new(threads, now, COLUMN);
        let nodes = Growth::new(NODES_SEEN_MAX);
        (Processors { timeline: Arc::clone(&timeline), epoch, columns, nodes }, timeline)
    }

    /// The last seconds, and all of the time by cause.
    pub(crate) fn look(&mut self) -> Value {
        let now = self.epoch.elapsed();
        self.columns.reach(now);
        self.timeline.take_until(now).iter().for_each(|interval| self.columns.add(interval));
        self.columns.told()
    }

    /// The top of the tree that is searched, from this root; `None` where nodes are not seen.
    pub(crate) fn tree<G: Game>(&mut self, game: &G, root: &G::Position) -> Result<Option<Tree>, RuleFault> {
        self.timeline.take_nodes().into_iter().for_each(|node| self.nodes.add(node));
        self.nodes.tree(game, root, SONS_MAX)
    }
}

/// A search on virtual processors; its result is what they did, from beginning to end.
pub(crate) fn simulate<'env, G: Game>(
    game: &'env G,
    root: Root<G>,
    knowledge: Knowledge,
    (processors, depth, policy): (usize, u32, Policy),
    stop: Stop,
) -> Job<'env> {
    Box::new(move |_| {
        let processors = processors.clamp(1, VIRTUAL_MAX);
        let depth = depth.clamp(1, VIRTUAL_DEPTH_MAX) as i32;
        let timeline = Timeline::new(processors).with_nodes(PLIES_SEEN, VIRTUAL_NODES_MAX as usize);
        let task = Task {
            game,
            root: &root,
            settings: Settings::new(Engine::NegaScout),
            limits: Limits { nodes: Some(VIRTUAL_NODES_MAX), ..Limits::to_depth(depth) },
            knowledge: &knowledge,
            policy,
            timeline: Some(&timeline),
        };
        let laboratory = Laboratory {
            machine: Machine::with_network(processors, Network::INFINIBAND),
            node_cost: NODE_COST,
            tables: TableKind::Shared,
            table_bytes: VIRTUAL_TABLE_BYTES,
            table_depth: 1,
            prefetch: true,
            combine: 1,
            ahead: 0,
            stop: None,
        };
        let question = Arc::new(move || stop.is_stopped());
        let found = game::stopping::unless(question, || simulated(&task, &laboratory));
        let found = found.map_err(|error| match error {
            SimulationError::Fault(fault) => words(fault),
            error => words(error),
        })?;
        let mut columns =
            Columns::new(processors, Duration::ZERO, found.time.div_f64(COLUMNS_MAX as f64 - 1.0));
        timeline.take().iter().for_each(|interval| columns.add(interval));
        let mut told = columns.told();
        told["milliseconds"] = json!(found.time.as_secs_f64() * 1000.0);
        told["nodes"] = json!(found.together.report.nodes);
        told["depth"] = json!(found.together.report.depth.0);
        let mut nodes = Growth::new(NODES_SEEN_MAX);
        timeline.take_nodes().into_iter().for_each(|node| nodes.add(node));
        nodes.keep_last_iteration();
        let grown = nodes.tree(game, &root.position, SONS_MAX).map_err(words)?;
        told["tree"] = grown.as_ref().map_or(Value::Null, tree::told);
        Ok(told)
    })
}

#[cfg(test)]
mod tests {
    use fabric::ProcessorId;

    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn intervals_are_spread_over_columns() {
        let mut columns = Columns::new(2, at(1000), at(100));
        let interval = |processor, from, to, what| Interval {
            processor: ProcessorId(processor),
            from: at(from),
            to: at(to),
            what,
        };
        columns.add(&interval(0, 1000, 1250, Activity::Searching));
        columns.add(&interval(1, 1050, 1100, Activity::NoWork));
        columns.add(&interval(7, 1050, 1100, Activity::NoWork));
        let told = columns.told();
        assert_eq!(told["lanes"][0]["columns"], json!([[1000, 0, 0, 0], [1000, 0, 0, 0], [500, 0, 0, 0]]));
        assert_eq!(told["lanes"][1]["columns"][0], json!([0, 0, 0, 500]));
        assert_eq!(told["lanes"][0]["seconds"][0], 0.25);
    }

    #[test]
    fn what_is_long_ago_is_forgotten() {
        let mut columns = Columns::new(1, at(0), at(100));
        columns.reach(at(60_000));
        assert_eq!((columns.columns.len(), columns.first), (COLUMNS_MAX, 601 - COLUMNS_MAX));
        let old =
            Interval { processor: ProcessorId(0), from: at(0), to: at(59_950), what: Activity::Searching };
        columns.add(&old);
        assert_eq!(columns.columns[0][0][0], at(100));
        assert_eq!(columns.whole[0][0], at(59_950));
    }
}
