//! How several threads share a search, behind one function.

use std::num::NonZero;
use std::thread;

use game::{Game, RuleFault};
use search::{Engine, Kept, Limits, Progress, Report, Resources, Root, Settings};
use table::Table;

use crate::lazy_smp::{self, may_have_helpers};
use crate::stealing::{Everybody, Policy, Task, on_threads, peers};
use crate::timeline::Timeline;
use crate::{monte_carlo, proof};

/// What is best where nothing else was found for a game: Young Brothers Wait, and pieces that are not too small.
const BEST: Policy = Policy { depth_min: 3, ..Policy::YBWC };

/// Threads side by side tell each other of nodes of this depth and more: what travels from core to core at every little node
/// costs more than it spares.
const SIDE_BY_SIDE_DEPTH_MIN: i32 = 8;

/// How several threads share a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    policy: Policy,
    /// Whether somebody asked for this one, and not for what is best.
    is_chosen: bool,
}

impl Default for Method {
    /// What is best, as far as was measured: see docs/parallel.md. Brothers are given to those who ask, if every thread has a
    /// core to itself. Otherwise a search would wait for threads that do not run, and threads that only meet in the table are
    /// better.
    fn default() -> Method {
        Method { policy: BEST, is_chosen: false }
    }
}

impl Method {
    /// The names of all methods.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Policy::NAMED.iter().map(|(name, _)| *name).collect()
    }

    /// The method with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Method> {
        Policy::from_name(name).map(|policy| Method { policy, is_chosen: true })
    }

    /// The same with other values of its policy, such as those that were found to be best for a game.
    #[must_use]
    pub fn tuned(self, tune: impl FnOnce(Policy) -> Policy) -> Method {
        Method { policy: tune(self.policy), ..self }
    }

    /// Which work is given away when, where every thread has a core.
    #[must_use]
    pub fn policy(self) -> Policy {
        self.policy
    }

    /// What so many threads do on a machine with so many cores.
    fn for_threads(self, threads: usize, cores: usize) -> Policy {
        match self.is_chosen {
            true => self.policy,
            false if threads <= cores => self.side_by_side(),
            false => Policy::LAZY_SMP,
        }
    }

    /// What processes do: how they share a search by messages, and how they do if all share the memory of one host.
    #[cfg(feature = "mpi")]
    fn for_processes(self) -> (Policy, Option<Policy>) {
        let is_given_away = self.policy.everybody == Everybody::No;
        let by_messages = if is_given_away { self.policy } else { BEST };
        let beside = match self.policy.everybody {
            Everybody::No if self.is_chosen => None,
            Everybody::Defers if self.is_chosen => Some(self.policy),
            _ => Some(self.side_by_side()),
        };
        (by_messages, beside)
    }

    /// All search the root, and leave to each other what somebody searches already.
    #[must_use]
    pub fn side_by_side(self) -> Policy {
        let depth_min = self.policy.depth_min.max(SIDE_BY_SIDE_DEPTH_MIN);
        Policy { everybody: Everybody::Defers, depth_min, ..self.policy }
    }
}

/// Cores that this process may use; as many as you like if the system does not say.
fn cores() -> usize {
    thread::available_parallelism().map_or(usize::MAX, NonZero::get)
}

/// Who searches together.
#[derive(Clone, Copy)]
pub struct Sharing<'run> {
    /// How the search is shared.
    pub method: Method,
    /// By how many threads.
    pub threads: usize,
    /// Where to write down what they do when, if anywhere.
    pub timeline: Option<&'run Timeline>,
}

impl Sharing<'_> {
    /// So many threads that nobody watches.
    #[must_use]
    pub fn new(method: Method, threads: usize) -> Sharing<'static> {
        Sharing { method, threads, timeline: None }
    }
}

/// The same as [`search()`], and a search on one thread learns from the searches before it.
///
/// # Errors
/// When the rules go wrong.
#[expect(clippy::too_many_arguments, reason = "what a search is about, and what it works with")]
pub fn search_keeping<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    sharing: Sharing<'_>,
    resources: Resources<'_, T>,
    kept: &Kept,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    #[cfg(feature = "mpi")]
    let is_joined = crate::cluster::joined().is_some();
    #[cfg(not(feature = "mpi"))]
    let is_joined = false;
    if sharing.threads > 1 || sharing.timeline.is_some() || is_joined || limits.win_within.is_some() {
        return share(game, root, settings, limits, sharing, resources, kept, progress);
    }
    search::search_keeping(game, root, settings, limits, resources, kept, progress)
}

/// The same as [`search::search`], on several threads. Limits are for all of them together; so are the nodes and statistics of
/// the report.
///
/// # Errors
/// When the rules go wrong.
pub fn search<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    sharing: Sharing<'_>,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    share(game, root, settings, limits, sharing, resources, &Kept::default(), progress)
}

#[expect(clippy::too_many_arguments, reason = "what a search is about, and what it works with")]
fn share<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    sharing: Sharing<'_>,
    resources: Resources<'_, T>,
    kept: &Kept,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    let Sharing { method, threads, timeline } = sharing;
    #[cfg(feature = "mpi")]
    if let Some(cluster) = crate::cluster::joined()
        && limits.win_within.is_none()
        && may_have_helpers(settings, limits)
    {
        let (policy, beside) = method.for_processes();
        let (settings, limits, knowledge) = (*settings, *limits, resources.knowledge);
        let task = Task { game, root, settings, limits, knowledge, policy, timeline };
        // Who draws what happens sees it where nodes may be shared.
        let beside = beside.filter(|_| timeline.is_none());
        return crate::cluster::search(&cluster, &task, beside, threads, resources, progress);
    }
    let count = threads.min(lazy_smp::THREADS_MAX);
    if settings.engine == Engine::MonteCarlo && count > 1 && limits.win_within.is_none() {
        return monte_carlo::search(game, root, settings, limits, count, resources, progress);
    }
    if settings.engine == Engine::DfPn && count > 1 && limits.win_within.is_none() {
        return proof::search(game, root, settings, limits, count, resources);
    }
    // Nodes are seen where they may be shared, even if there is no one to share them with.
    let is_drawn = threads <= 1 && timeline.is_some_and(Timeline::has_nodes);
    let policy = if is_drawn { Policy::YBWC } else { method.for_threads(threads, cores()) };
    // A win within so many moves is looked for by heuristics of its own, which helpers do not know of.
    if (threads <= 1 && !is_drawn) || limits.win_within.is_some() || !may_have_helpers(settings, limits) {
        return lazy_smp::recorded(game, root, settings, limits, (1, timeline), resources, progress);
    }
    if policy.everybody == Everybody::Meets {
        return lazy_smp::recorded(game, root, settings, limits, (threads, timeline), resources, progress);
    }
    let task = Task {
        game,
        root,
        settings: *settings,
        limits: *limits,
        knowledge: resources.knowledge,
        policy,
        timeline,
    };
    let found = match (policy.everybody, timeline) {
        (Everybody::Defers, None) => peers::side_by_side(&task, count.max(1), resources, kept, progress),
        _ => on_threads(&task, count.max(1), resources, progress),
    };
    found.map(|found| found.report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_without_cores_meet_in_the_table_unless_told_otherwise() {
        let usual = Method::default();
        let side_by_side = Policy { everybody: Everybody::Defers, depth_min: SIDE_BY_SIDE_DEPTH_MIN, ..BEST };
        assert_eq!(usual.for_threads(4, 4), side_by_side);
        assert_eq!(usual.for_threads(5, 4), Policy::LAZY_SMP);
        let chosen = Method::from_name("jamboree").expect("it is there");
        assert_eq!(chosen.for_threads(5, 4), Policy::JAMBOREE);
        let deeper = usual.tuned(|policy| Policy { depth_min: 9, ..policy });
        assert_eq!((deeper.for_threads(2, 2).depth_min, deeper.for_threads(3, 2)), (9, Policy::LAZY_SMP));
    }
}
