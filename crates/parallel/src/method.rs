//! How several threads share a search, behind one function.

use game::{Game, RuleFault};
use search::{Engine, Limits, Progress, Report, Resources, Root, Settings};
use table::Table;

use crate::lazy_smp::{self, may_have_helpers};
use crate::stealing::{Everybody, Policy, Task, on_threads};
use crate::timeline::Timeline;
use crate::{monte_carlo, proof};

/// How several threads share a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method(Policy);

impl Default for Method {
    /// What measured best on real threads: see docs/parallel.md.
    fn default() -> Method {
        Method(Policy::LAZY_SMP)
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
        Policy::from_name(name).map(Method)
    }

    /// A method that gives work away like this.
    #[must_use]
    pub fn with(policy: Policy) -> Method {
        Method(policy)
    }

    /// Which work is given away when.
    #[must_use]
    pub fn policy(self) -> Policy {
        self.0
    }
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
    let Sharing { method, threads, timeline } = sharing;
    #[cfg(feature = "mpi")]
    if let Some(cluster) = crate::cluster::joined()
        && limits.win_within.is_none()
        && may_have_helpers(settings, limits)
    {
        // Threads that only meet in a table are of no use to other processes.
        let policy = if method.0.everybody == Everybody::No { method.0 } else { Policy::YBWC };
        let (settings, limits, knowledge) = (*settings, *limits, resources.knowledge);
        let task = Task { game, root, settings, limits, knowledge, policy, timeline };
        return crate::cluster::search(&cluster, &task, threads, resources, progress);
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
    let method = if is_drawn { Method(Policy::YBWC) } else { method };
    // A win within so many moves is looked for by heuristics of its own, which helpers do not know of.
    if (threads <= 1 && !is_drawn) || limits.win_within.is_some() || !may_have_helpers(settings, limits) {
        return lazy_smp::recorded(game, root, settings, limits, (1, timeline), resources, progress);
    }
    if method.0.everybody == Everybody::Meets {
        return lazy_smp::recorded(game, root, settings, limits, (threads, timeline), resources, progress);
    }
    let task = Task {
        game,
        root,
        settings: *settings,
        limits: *limits,
        knowledge: resources.knowledge,
        policy: method.0,
        timeline,
    };
    on_threads(&task, count.max(1), resources, progress).map(|found| found.report)
}
