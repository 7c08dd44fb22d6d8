//! Helpers beside a search: they search the same position on the same table, and are not told what to do. What
//! they find out is in the table when the search that counts comes there, so that it gets deeper in the same time.
//! ("Lazy": nothing is shared out and none waits; the price is work done twice.)
//!
//! The answer is that of the search that counts, which alone looks at depth and time, and reports; nodes are counted
//! and limited together. With an exact search the value is the same with any number of threads; a selective one
//! depends on what the table happens to know, so that two runs with more than one thread need not be alike.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicU64;
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use fabric::ProcessorId;
use game::{Game, RuleFault};
use search::{
    Clock, Control, Depth, Engine, Limits, Progress, Report, Resources, Root, Settings, Statistics, Team,
};
use table::Table;

use crate::again::{ATTEMPTS, Past};
use crate::measures::{Activity, Measures};
use crate::stealing::Together;
use crate::timeline::Timeline;

/// More threads than this are nowhere to be found.
pub const THREADS_MAX: usize = 512;

/// Whether several threads are of use to an engine.
#[must_use]
pub fn uses_threads(engine: Engine) -> bool {
    uses_a_table(engine) || matches!(engine, Engine::DfPn | Engine::MonteCarlo)
}

/// Whether a search has work for helpers: they are of use through the table alone.
fn uses_a_table(engine: Engine) -> bool {
    Engine::FULL_WIDTH.contains(&engine) && engine != Engine::NegaMax
}

/// Whether helpers may join a search in any way that shares a table. An exact search without a limit of depth proves
/// its result by a last iteration on an empty table, which helpers would fill.
pub(crate) fn may_have_helpers(settings: &Settings, limits: &Limits) -> bool {
    let proves = settings.heuristics.is_exact() && limits.depth.is_none();
    uses_a_table(settings.engine) && !proves
}

/// The same as [`search::search`], on so many threads. Limits are for all of them together; so are the
/// nodes and statistics of the report.
///
/// # Errors
/// When the rules go wrong.
pub fn search<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    threads: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    recorded(game, root, settings, limits, (threads, None), resources, progress).map(|found| found.report)
}

/// The same, with what each thread did, and the times written down in which threads search.
pub(crate) fn recorded<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    (threads, timeline): (usize, Option<&Timeline>),
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Together, RuleFault> {
    let began = Instant::now();
    let clock = resources.clock;
    let helpers = if may_have_helpers(settings, limits) { threads.clamp(1, THREADS_MAX) - 1 } else { 0 };
    if helpers == 0 {
        let search = || search::search(game, root, settings, limits, resources, progress);
        let report = noted(timeline, 0, clock, search)?;
        let measures = vec![Some(of_thread(report.nodes, began))];
        return Ok(Together { report, measures });
    }
    let nodes = AtomicU64::new(0);
    let team = Team::new(&nodes);
    let control = Control::default();
    thread::scope(|scope| {
        let ending = Ending(&control);
        let helpers: Vec<ScopedJoinHandle<'_, (Option<Statistics>, Measures)>> = (0..helpers)
            .map_while(|number| {
                let resources = Resources { control: &control, team: Some(team), ..resources };
                let question = game::stopping::current();
                let help = move || {
                    let work = || {
                        let began = Instant::now();
                        let help = || help(game, root, settings, limits.nodes, number, resources);
                        let found = noted(timeline, number as u32 + 1, clock, help);
                        let nodes = found.as_ref().map_or(0, |statistics| statistics.nodes);
                        (found, of_thread(nodes, began))
                    };
                    match question {
                        Some(question) => game::stopping::unless(question, work),
                        None => work(),
                    }
                };
                let builder =
                    thread::Builder::new().name(format!("helper {number}")).stack_size(search::STACK_BYTES);
                // A machine that has no more threads does with fewer.
                builder.spawn_scoped(scope, help).ok()
            })
            .collect();
        let resources = Resources { team: Some(team), ..resources };
        let report = noted(timeline, 0, clock, || lead(game, root, settings, limits, resources, progress));
        let searched = began.elapsed();
        drop(ending);
        let others: Vec<_> = helpers.into_iter().map(ScopedJoinHandle::join).collect();
        let mut report = report?;
        let first = Measures { search: searched, ..of_thread(report.statistics.nodes, began) };
        let mut measures = vec![Some(first)];
        for other in others {
            // A helper that has panicked is not waited for: the search that counts finds out what it has not.
            let Ok((statistics, of_helper)) = other else {
                measures.push(None);
                report.threads_lost += 1;
                continue;
            };
            measures.push(Some(of_helper));
            report.statistics += statistics.unwrap_or_default();
        }
        report.nodes = report.statistics.nodes;
        Ok(Together { report, measures })
    })
}

/// What a thread did that has searched since then.
fn of_thread(nodes: u64, began: Instant) -> Measures {
    Measures { nodes, search: began.elapsed(), ..Measures::default() }
}

/// The search that counts; begun again if it panics.
fn lead<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    let mut past = Past::new(resources.clock.now());
    loop {
        let now = resources.clock.now();
        let (settings, limits) = past.rest(settings, limits, now);
        let mut told = None;
        let result = catch_unwind(AssertUnwindSafe(|| {
            search::search(game, root, &settings, &limits, resources, &mut |news| {
                told = Some(news.depth);
                progress(news);
            })
        }));
        told.into_iter().for_each(|depth| past.tell(depth));
        match result {
            Ok(report) => return report.map(|report| past.complete(report, 0, resources.clock.now())),
            Err(panic) if past.restarts() + 1 == ATTEMPTS => resume_unwind(panic),
            Err(_) => past.fail(Statistics::default(), 1),
        }
    }
}

/// Writes down when a thread searched.
fn noted<R>(timeline: Option<&Timeline>, thread: u32, clock: &dyn Clock, search: impl FnOnce() -> R) -> R {
    let Some(timeline) = timeline else { return search() };
    timeline.turn(ProcessorId(thread), clock.now(), Activity::Searching);
    let found = search();
    timeline.end(ProcessorId(thread), clock.now());
    found
}

/// Stops the helpers, even if the search panics: the scope waits for them.
struct Ending<'search>(&'search Control);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Searches until the others are done. A fault of the rules ends the helper alone: the search that counts meets it
/// too if it matters.
fn help<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    nodes: Option<u64>,
    number: usize,
    resources: Resources<'_, T>,
) -> Option<Statistics> {
    // Every other helper is an iteration ahead, so that not all look for the same.
    let first_depth = settings.first_depth + (number as i32 + 1) % 2;
    let settings = Settings { first_depth, ..*settings };
    let limits = Limits { depth: Some(Depth::MAX), nodes, ..Limits::default() };
    let report = search::search(game, root, &settings, &limits, resources, &mut |_| {});
    report.ok().map(|report| report.statistics)
}
