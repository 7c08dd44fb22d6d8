//! Counts nodes and sees when a search has to stop.

use std::time::Duration;

use game::RuleFault;

use crate::limits::{Clock, Control, Limits};
use crate::team::Team;

/// Why a search ends before it is done.
#[derive(Debug)]
pub enum Interrupt {
    /// A limit is reached, or the search was told to stop.
    Stopped,
    /// What is being searched below a ply is of no use any more: the search goes on there.
    Cut {
        /// The ply.
        ply: usize,
    },
    /// The rules went wrong.
    Fault(Box<RuleFault>),
}

impl From<RuleFault> for Interrupt {
    fn from(fault: RuleFault) -> Interrupt {
        if fault.is_stopped() { Interrupt::Stopped } else { Interrupt::Fault(Box::new(fault)) }
    }
}

/// Look at the clock about this often; searches stop within 20 ms.
const POLL_EVERY: Duration = Duration::from_millis(2);
const NODES_BETWEEN_POLLS_MAX: u32 = 1 << 12;

/// How long work that is to be finished may go on after it was told to end: searches stop within 20 ms. The
/// nodes count where no clock runs.
pub const GRACE: Duration = Duration::from_millis(12);
const GRACE_NODES: u64 = 20_000;
/// Nodes that it may take, whatever their limit is: the first depth of any game takes less, unless its captures have
/// no end.
const FINISHING_NODES: u64 = 1 << 18;

/// The limits of a running search.
pub struct Watch<'control> {
    control: &'control Control,
    clock: &'control dyn Clock,
    /// Who else works on the same question.
    team: Option<Team<'control>>,
    nodes_max: u64,
    /// The limit that counts at the moment.
    nodes_allowed: u64,
    nodes: u64,
    /// Whether limits can wait a little, and when one of them was first met: the time, and the nodes by then.
    finishes: bool,
    late_since: Option<(Duration, u64)>,
    /// Of the nodes, those that the team knows of.
    announced: u64,
    /// Nodes of the others, as of the last look.
    elsewhere: u64,
    /// Nodes to the next look at the clock, and between two looks. Generators differ by a factor of a thousand:
    /// the distance adapts itself. It has no influence on the search.
    countdown: u32,
    interval: u32,
    polled: Duration,
    began: Duration,
}

impl<'control> Watch<'control> {
    /// Starts counting; unless pondering, the clock runs.
    pub fn new(limits: &Limits, control: &'control Control, clock: &'control dyn Clock) -> Watch<'control> {
        let now = clock.now();
        if !limits.ponder {
            control.start_clock(now, limits.time);
        }
        let nodes_max = limits.nodes.unwrap_or(u64::MAX);
        Watch {
            control,
            clock,
            team: None,
            nodes_max,
            nodes_allowed: nodes_max,
            nodes: 0,
            finishes: false,
            late_since: None,
            announced: 0,
            elsewhere: 0,
            countdown: 1,
            interval: 1,
            polled: now,
            began: now,
        }
    }

    /// The same, with nodes that are counted together with those of others, if there are any.
    #[must_use]
    pub fn together(self, team: Option<Team<'control>>) -> Watch<'control> {
        Watch { team, ..self }
    }

    /// Goes by these limits from now on: those of a searcher that is gone, whose clock runs since it began.
    pub(crate) fn take_over(
        &mut self,
        limits: &Limits,
        control: &'control Control,
        clock: &'control dyn Clock,
        began: Duration,
    ) {
        self.nodes_max = limits.nodes.unwrap_or(u64::MAX);
        self.nodes_allowed = self.nodes_max;
        (self.control, self.clock, self.began) = (control, clock, began);
        (self.polled, self.countdown, self.interval) = (clock.now(), 1, 1);
    }

    /// Counts a node.
    ///
    /// # Errors
    /// When it is time to stop.
    #[inline]
    pub fn count_node(&mut self) -> Result<(), Interrupt> {
        if self.nodes + self.elsewhere >= self.nodes_allowed {
            return Err(Interrupt::Stopped);
        }
        self.nodes += 1;
        self.look()
    }

    /// Counts nodes that another processor has searched.
    ///
    /// # Errors
    /// When it is time to stop.
    pub fn count_nodes(&mut self, nodes: u64) -> Result<(), Interrupt> {
        self.nodes += nodes;
        if self.nodes + self.elsewhere > self.nodes_allowed {
            return Err(Interrupt::Stopped);
        }
        self.look()
    }

    /// Sees whether it is time to stop, without counting.
    ///
    /// # Errors
    /// When it is.
    #[inline]
    pub fn look(&mut self) -> Result<(), Interrupt> {
        if self.control.is_stopped() {
            return self.stop();
        }
        self.countdown -= 1;
        if self.countdown == 0 { self.poll() } else { Ok(()) }
    }

    fn poll(&mut self) -> Result<(), Interrupt> {
        let now = self.clock.now();
        let passed = now.saturating_sub(self.polled);
        if passed < POLL_EVERY / 4 {
            self.interval = (self.interval * 2).min(NODES_BETWEEN_POLLS_MAX);
        } else if passed > POLL_EVERY {
            self.interval = (self.interval / 2).max(1);
        }
        self.polled = now;
        self.countdown = self.interval;
        self.announce();
        if self.control.is_over(now) { self.stop() } else { Ok(()) }
    }

    /// The search was told to stop, or time is up: stops, unless there is something to finish and it does not take
    /// long.
    #[cold]
    fn stop(&mut self) -> Result<(), Interrupt> {
        self.countdown = self.countdown.max(1);
        if !self.finishes {
            return Err(Interrupt::Stopped);
        }
        let now = self.clock.now();
        let (since, nodes) = *self.late_since.get_or_insert((now, self.nodes));
        let patient = now.saturating_sub(since) < GRACE && self.nodes - nodes < GRACE_NODES;
        if patient { Ok(()) } else { Err(Interrupt::Stopped) }
    }

    /// From now on something is to be finished: all limits have to wait a little.
    pub(crate) fn finish_this(&mut self) {
        (self.finishes, self.nodes_allowed) = (true, self.nodes_max.max(self.nodes + FINISHING_NODES));
    }

    /// From now on the limits hold again.
    pub(crate) fn nothing_to_finish(&mut self) {
        (self.finishes, self.nodes_allowed) = (false, self.nodes_max);
    }

    /// Tells the team of nodes that it does not know of, and learns of those of the others.
    fn announce(&mut self) {
        if let Some(team) = self.team {
            let total = team.announce(self.nodes - self.announced);
            self.announced = self.nodes;
            self.elsewhere = total - self.nodes;
        }
    }

    /// Whether another iteration may begin, if so many per cent of the usual time are to be used.
    #[must_use]
    pub fn may_go_on(&self, per_cent: u32) -> bool {
        !self.control.is_stopped()
            && self.total_nodes() < self.nodes_max
            && !self.control.is_late(self.clock.now(), per_cent)
    }

    /// Nodes so far, those of the whole team.
    #[must_use]
    pub fn total_nodes(&self) -> u64 {
        self.team.map_or(self.nodes, |team| team.nodes() + self.nodes - self.announced)
    }

    /// Nodes of this search so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.began)
    }
}
