//! What each processor did when: for pictures of a search. Nothing is recorded unless it is asked for.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fabric::ProcessorId;
use search::desk::{Desk, Portrait};

use crate::measures::Activity;

/// A processor did one thing for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Which processor.
    pub processor: ProcessorId,
    /// When it began, on the clock of the caller of the search.
    pub from: Duration,
    /// When it ended.
    pub to: Duration,
    /// What it did.
    pub what: Activity,
}

/// A node that a processor has left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedNode {
    /// Which processor.
    pub processor: ProcessorId,
    /// When it left the node.
    pub at: Duration,
    /// The node.
    pub portrait: Portrait,
}

/// What all processors of a search did, in order. It may be read while they work.
pub struct Timeline {
    lanes: Box<[Mutex<Lane>]>,
    /// More intervals of one processor than this are counted only.
    most: usize,
    /// Nodes at the top of the tree, if they are wanted.
    nodes: Option<Nodes>,
}

struct Nodes {
    /// Nodes down to this ply are written down.
    plies: usize,
    /// More than this are not kept until they are taken.
    most: usize,
    left: Mutex<Vec<SearchedNode>>,
}

#[derive(Default)]
struct Lane {
    done: Vec<Interval>,
    /// What goes on, since when.
    now: Option<(Activity, Duration)>,
    lost: u64,
}

impl Timeline {
    /// Intervals that are kept for each processor unless the caller says otherwise: some megabytes.
    pub const INTERVALS_MAX: usize = 1 << 17;

    /// A timeline for so many processors; those beyond are not recorded.
    #[must_use]
    pub fn new(processors: usize) -> Timeline {
        Timeline::with_most(processors, Timeline::INTERVALS_MAX)
    }

    /// The same with another limit of intervals that wait to be taken, for each processor.
    #[must_use]
    pub fn with_most(processors: usize, most: usize) -> Timeline {
        Timeline { lanes: (0..processors).map(|_| Mutex::default()).collect(), most, nodes: None }
    }

    /// The same, with the nodes that may be shared down to this ply, so many at most that wait to be taken.
    #[must_use]
    pub fn with_nodes(self, plies: usize, most: usize) -> Timeline {
        Timeline { nodes: Some(Nodes { plies, most, left: Mutex::default() }), ..self }
    }

    /// Whether nodes are written down.
    #[must_use]
    pub fn has_nodes(&self) -> bool {
        self.nodes.is_some()
    }

    /// The nodes, in the order in which they were left.
    #[must_use]
    pub fn take_nodes(&self) -> Vec<SearchedNode> {
        self.nodes.as_ref().map_or_else(Vec::new, |nodes| std::mem::take(&mut *locked(&nodes.left)))
    }

    /// How many processors are recorded.
    #[must_use]
    pub fn processors(&self) -> usize {
        self.lanes.len()
    }

    /// From this time on a processor does this.
    pub fn turn(&self, processor: ProcessorId, at: Duration, what: Activity) {
        let Some(mut lane) = self.lane(processor) else { return };
        if lane.now.is_some_and(|(before, _)| before == what) {
            return;
        }
        lane.finish(processor, at, self.most);
        lane.now = Some((what, at));
    }

    /// A processor goes home.
    pub fn end(&self, processor: ProcessorId, at: Duration) {
        if let Some(mut lane) = self.lane(processor) {
            lane.finish(processor, at, self.most);
        }
    }

    /// All that is over by now, processor by processor, each in the order of time. It is not given again.
    #[must_use]
    pub fn take(&self) -> Vec<Interval> {
        self.each(|lane, _| std::mem::take(&mut lane.done))
    }

    /// The same, with what still goes on as if it ended at this time; the rest of that is given later.
    #[must_use]
    pub fn take_until(&self, now: Duration) -> Vec<Interval> {
        self.each(|lane, processor| {
            if let Some((what, _)) = lane.now {
                lane.finish(processor, now, usize::MAX);
                lane.now = Some((what, now));
            }
            std::mem::take(&mut lane.done)
        })
    }

    /// Intervals that were not kept because those before them were not taken.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lanes.iter().map(|lane| locked(lane).lost).sum()
    }

    fn each(&self, taken: impl Fn(&mut Lane, ProcessorId) -> Vec<Interval>) -> Vec<Interval> {
        let lanes = (0..).zip(&self.lanes);
        lanes.flat_map(|(number, lane)| taken(&mut locked(lane), ProcessorId(number))).collect()
    }

    fn lane(&self, processor: ProcessorId) -> Option<MutexGuard<'_, Lane>> {
        self.lanes.get(processor.index()).map(locked)
    }
}

impl Lane {
    fn finish(&mut self, processor: ProcessorId, to: Duration, most: usize) {
        let Some((what, from)) = self.now.take() else { return };
        if to <= from {
            return;
        }
        let has_room = self.done.len() < most;
        match self.done.last_mut() {
            // Something else came between that took no time.
            Some(last) if last.what == what && last.to == from => last.to = to,
            _ if has_room => self.done.push(Interval { processor, from, to, what }),
            _ => self.lost += 1,
        }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One processor's way to write into a timeline.
#[derive(Clone, Copy)]
pub(crate) struct Recorder<'run> {
    pub(crate) timeline: &'run Timeline,
    pub(crate) processor: ProcessorId,
    /// The time of the caller of the search when the processor's own clock began.
    pub(crate) epoch: Duration,
}

impl Recorder<'_> {
    pub(crate) fn turn(&self, at: Duration, what: Activity) {
        self.timeline.turn(self.processor, self.epoch + at, what);
    }

    /// Whether nodes are written down: they are seen where they may be shared.
    pub(crate) fn draws(&self) -> bool {
        self.timeline.has_nodes()
    }

    /// The processor leaves a node.
    pub(crate) fn leave<P: Clone>(&self, at: Duration, desk: &Desk<'_, P>, ply: usize) {
        let Some(nodes) = &self.timeline.nodes else { return };
        let Some(portrait) = (ply <= nodes.plies).then(|| desk.portrait(ply)).flatten() else { return };
        // What was given up at once is worth nothing yet.
        if portrait.searched == 0 {
            return;
        }
        let node = SearchedNode { processor: self.processor, at: self.epoch + at, portrait };
        let mut left = locked(&nodes.left);
        if left.len() < nodes.most {
            left.push(node);
        }
    }

    pub(crate) fn end(&self, at: Duration) {
        self.timeline.end(self.processor, self.epoch + at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: ProcessorId = ProcessorId(0);

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn interval(from: u64, to: u64, what: Activity) -> Interval {
        Interval { processor: FIRST, from: at(from), to: at(to), what }
    }

    #[test]
    fn what_follows_itself_is_one_interval_and_what_takes_no_time_is_none() {
        let timeline = Timeline::new(1);
        timeline.turn(FIRST, at(0), Activity::Searching);
        timeline.turn(FIRST, at(1), Activity::Searching);
        timeline.turn(FIRST, at(3), Activity::NoWork);
        timeline.turn(FIRST, at(3), Activity::WaitingForSlaves);
        timeline.turn(FIRST, at(4), Activity::Searching);
        timeline.turn(FIRST, at(4), Activity::WaitingForSlaves);
        timeline.end(FIRST, at(5));
        timeline.turn(ProcessorId(1), at(5), Activity::Searching);
        let all = [interval(0, 3, Activity::Searching), interval(3, 5, Activity::WaitingForSlaves)];
        assert_eq!(timeline.take(), all);
        assert_eq!(timeline.take(), []);
    }

    #[test]
    fn what_goes_on_can_be_seen() {
        let timeline = Timeline::new(1);
        timeline.turn(FIRST, at(0), Activity::Searching);
        assert_eq!(timeline.take(), []);
        assert_eq!(timeline.take_until(at(4)), [interval(0, 4, Activity::Searching)]);
        timeline.end(FIRST, at(6));
        assert_eq!(timeline.take_until(at(9)), [interval(4, 6, Activity::Searching)]);
    }

    #[test]
    fn what_nobody_takes_is_counted_only() {
        let timeline = Timeline::with_most(1, 2);
        for time in 0..6 {
            let what = [Activity::Searching, Activity::NoWork][time as usize % 2];
            timeline.turn(FIRST, at(time), what);
        }
        assert_eq!(timeline.take().len(), 2);
        assert_eq!(timeline.lost(), 3);
    }
}
