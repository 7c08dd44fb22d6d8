//! How several threads share a search, behind one function.

use std::num::NonZero;
use std::thread;
use std::time::Instant;

use game::{Game, RuleFault};
use search::{Engine, Kept, Limits, Progress, Report, Resources, Root, Settings};
use table::Table;

use crate::habits::Tuning;
use crate::lazy_smp::{self, may_have_helpers};
use crate::stealing::{Everybody, Policy, Task, Together, on_threads, peers};
use crate::teamwork::{Ledger, Teamwork};
use crate::timeline::Timeline;
use crate::{monte_carlo, proof};

/// How brothers are given away where nothing else was found for a game: Young Brothers Wait, and pieces that are not
/// too small.
const GIVEN_AWAY: Policy = Policy { depth_min: 3, ..Policy::YBWC };

/// Threads side by side tell each other of nodes of this depth and more, where nothing else was found for a game:
/// what travels from core to core at every little node costs more than it spares.
const TOLD_DEPTH_MIN: i32 = 8;

/// What threads do that have a core each, if nothing else is asked for.
pub const SIDE_BY_SIDE: &str = "side-by-side";

/// How the way to share a search was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Nothing was asked for: side by side.
    Usual,
    /// A measurement: brothers are given away, by the engine of this name.
    GivesAway(&'static str),
    /// It was asked for by this name.
    Named(&'static str),
}

/// How several threads share a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    way: Way,
    /// What was chosen; else how brothers are given away where they are.
    policy: Policy,
    /// Side by side, how deep a node is at least that others hear of.
    told_depth_min: i32,
}

impl Default for Method {
    /// What is best, as far as was measured: see docs/parallel.md. All search the root side by side, if every thread
    /// has a core to itself. Otherwise a move would be left to a thread that does not run, and threads that only meet
    /// in the table are better.
    fn default() -> Method {
        Method { way: Way::Usual, policy: GIVEN_AWAY, told_depth_min: TOLD_DEPTH_MIN }
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
        let (name, policy) = Policy::NAMED.into_iter().find(|(known, _)| *known == name)?;
        Some(Method { way: Way::Named(name), policy, told_depth_min: policy.depth_min })
    }

    /// The name that it was asked for by, if it was.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self.way {
            Way::Named(name) => Some(name),
            Way::Usual | Way::GivesAway(_) => None,
        }
    }

    /// The same with values that were found to be good for a game.
    #[must_use]
    pub fn tuned(self, tuning: Tuning) -> Method {
        Method { policy: tuning.applied(self.policy), ..self }
    }

    /// The same, where peers that search side by side tell each other of nodes of this depth and more.
    #[must_use]
    pub fn telling_from(self, told_depth_min: i32) -> Method {
        Method { told_depth_min, ..self }
    }

    /// The same, which gives brothers away as the engine of this name does, unless another one was asked for.
    #[must_use]
    pub fn giving_away(self, engine: &str) -> Method {
        match (self.way, Method::from_name(engine)) {
            (Way::Usual | Way::GivesAway(_), Some(Method { way: Way::Named(name), policy, .. })) => {
                Method { way: Way::GivesAway(name), policy, ..self }
            }
            _ => self,
        }
    }

    /// What so many threads do on a machine with so many cores.
    fn for_threads(self, threads: usize, cores: usize) -> Policy {
        match self.way {
            Way::Named(_) => self.policy,
            _ if threads > cores => Policy::LAZY_SMP,
            Way::GivesAway(_) => self.policy,
            Way::Usual => self.side_by_side(),
        }
    }

    /// What processes do: how they share a search by messages, and how they do if all share the memory of one host.
    #[cfg(feature = "mpi")]
    fn for_processes(self) -> (Policy, Option<Policy>) {
        let beside = match self.way {
            Way::Usual => Some(self.side_by_side()),
            Way::Named(_) if self.policy.everybody == Everybody::Defers => Some(self.policy),
            Way::Named(_) | Way::GivesAway(_) => None,
        };
        (self.policy, beside)
    }

    /// All search the root, and leave to each other what another one searches already.
    #[must_use]
    pub fn side_by_side(self) -> Policy {
        Policy { everybody: Everybody::Defers, depth_min: self.told_depth_min, ..Policy::YBWC }
    }

    /// What it is called that processors do by a policy of this method.
    fn name_of(self, policy: &Policy) -> &'static str {
        match (self.way, policy.everybody) {
            (Way::Named(name), _) => name,
            (_, Everybody::Defers) => SIDE_BY_SIDE,
            (_, Everybody::Meets) => "lazysmp",
            (Way::GivesAway(name), Everybody::No) => name,
            (Way::Usual, Everybody::No) => "ybwc",
        }
    }
}

/// Cores that this process may use; as many as you like if the system does not say.
fn cores() -> usize {
    thread::available_parallelism().map_or(usize::MAX, NonZero::get)
}

/// Which threads search together.
#[derive(Clone, Copy)]
pub struct Sharing<'run> {
    /// How the search is shared.
    pub method: Method,
    /// By how many threads.
    pub threads: usize,
    /// Where to write down what they do when, if anywhere.
    pub timeline: Option<&'run Timeline>,
    /// Where to write down what each of them did, if anywhere. Processes agree on whether they do.
    pub ledger: Option<&'run Ledger>,
}

impl Sharing<'_> {
    /// So many threads that are not watched.
    #[must_use]
    pub fn new(method: Method, threads: usize) -> Sharing<'static> {
        Sharing { method, threads, timeline: None, ledger: None }
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

/// The same as [`search::search`], on several threads. Limits are for all of them together; so are the nodes and
/// statistics of the report.
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
    let task = Task {
        game,
        root,
        settings: *settings,
        limits: *limits,
        knowledge: resources.knowledge,
        policy: sharing.method.policy,
        timeline: sharing.timeline,
    };
    let began = Instant::now();
    let Shared { method, policy, found } = perform(task, sharing, resources, kept, progress)?;
    let Together { report, measures } = found;
    if let Some(ledger) = sharing.ledger.filter(|_| measures.len() > 1) {
        ledger.add(Teamwork { method, policy, time: began.elapsed(), processors: measures });
    }
    Ok(report)
}

/// A search, and how it was shared.
struct Shared {
    method: &'static str,
    /// What was given away when, if there was a choice.
    policy: Option<Policy>,
    found: Together,
}

fn perform<G: Game, T: Table + Sync>(
    task: Task<'_, G>,
    sharing: Sharing<'_>,
    resources: Resources<'_, T>,
    kept: &Kept,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Shared, RuleFault> {
    let Sharing { method, threads, timeline, .. } = sharing;
    let Task { game, root, settings, limits, .. } = &task;
    // A win within so many moves is looked for by heuristics of its own, which helpers do not know of.
    let is_shareable = limits.win_within.is_none();
    let may_have_helpers = is_shareable && may_have_helpers(settings, limits);
    #[cfg(feature = "mpi")]
    if let Some(cluster) = crate::cluster::joined()
        && may_have_helpers
    {
        let (policy, beside) = method.for_processes();
        let task = Task { policy, ..task };
        // A picture of what happens shows it where nodes may be shared.
        let beside = beside.filter(|_| timeline.is_none());
        let counts = sharing.ledger.is_some();
        let (policy, found) =
            crate::cluster::search(&cluster, &task, beside, (threads, counts), resources, progress)?;
        return Ok(Shared { method: method.name_of(&policy), policy: Some(policy), found });
    }
    let count = threads.min(lazy_smp::THREADS_MAX);
    if settings.engine == Engine::MonteCarlo && count > 1 && is_shareable {
        let found = monte_carlo::search(*game, root, settings, limits, count, resources, progress)?;
        return Ok(Shared { method: settings.engine.name(), policy: None, found });
    }
    if settings.engine == Engine::DfPn && count > 1 && is_shareable {
        let found = proof::search(*game, root, settings, limits, count, resources)?;
        return Ok(Shared { method: settings.engine.name(), policy: None, found });
    }
    // Nodes are seen where they may be shared, even if there is no one to share them with.
    let is_drawn = threads <= 1 && timeline.is_some_and(Timeline::has_nodes);
    let is_alone = (threads <= 1 && !is_drawn) || !may_have_helpers;
    let policy = if is_drawn { Policy::YBWC } else { method.for_threads(threads, cores()) };
    if is_alone || policy.everybody == Everybody::Meets {
        let threads = if is_alone { 1 } else { threads };
        let found =
            lazy_smp::recorded(*game, root, settings, limits, (threads, timeline), resources, progress)?;
        return Ok(Shared { method: method.name_of(&policy), policy: None, found });
    }
    let task = Task { policy, ..task };
    let found = match (policy.everybody, timeline) {
        (Everybody::Defers, None) => peers::side_by_side(&task, count.max(1), resources, kept, progress),
        _ => on_threads(&task, count.max(1), resources, progress),
    }?;
    Ok(Shared { method: method.name_of(&policy), policy: Some(policy), found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_without_cores_meet_in_the_table_unless_told_otherwise() {
        let usual = Method::default();
        let side_by_side = Policy { everybody: Everybody::Defers, depth_min: TOLD_DEPTH_MIN, ..Policy::YBWC };
        assert_eq!(usual.for_threads(4, 4), side_by_side);
        assert_eq!(usual.for_threads(5, 4), Policy::LAZY_SMP);
        let chosen = Method::from_name("jamboree").expect("it is there");
        assert_eq!(chosen.for_threads(5, 4), Policy::JAMBOREE);
        let told = usual.telling_from(5);
        assert_eq!((told.for_threads(2, 2).depth_min, told.for_threads(3, 2)), (5, Policy::LAZY_SMP));
        let given_away = told.giving_away("ybwc*");
        assert_eq!(given_away.for_threads(2, 2), Policy::YBWC_STAR);
        assert_eq!(given_away.name_of(&Policy::YBWC_STAR), "ybwc*");
        assert_eq!(chosen.giving_away("ybwc"), chosen);
        assert_eq!(usual.giving_away("nothing"), usual);
    }

    #[cfg(feature = "mpi")]
    #[test]
    fn processes_do_what_they_are_asked_for() {
        let of = |name| Method::from_name(name).expect("it is there").for_processes();
        assert_eq!(of("lazysmp"), (Policy::LAZY_SMP, None));
        assert_eq!(of("abdada"), (Policy::ABDADA, Some(Policy::ABDADA)));
        assert_eq!(of("ybwc"), (Policy::YBWC, None));
        let (by_messages, beside) = Method::default().for_processes();
        assert_eq!((by_messages, beside), (GIVEN_AWAY, Some(Method::default().side_by_side())));
    }
}
