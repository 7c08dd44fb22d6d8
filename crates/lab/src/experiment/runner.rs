//! Runs the runs of an experiment, several at a time, and keeps what comes out.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::plan::{Plan, Setup, SubjectPlan};
use super::results::{Record, Store, StoreError};
use crate::conditions::{Conditions, Order, Special};
use crate::speedup::LabError;
use crate::subject::Subject;

/// One search of one position.
#[derive(Clone, Debug)]
pub struct Job {
    /// All that its figures depend on, but for the program.
    pub key: String,
    /// How it is searched.
    pub conditions: Conditions,
    /// What is special about that.
    pub special: Special,
    /// Which position, from 0.
    pub position: usize,
    /// On how many processors.
    pub processors: usize,
    /// The key of the sequential search with the same value.
    pub alone: String,
    /// How work is shared out.
    pub engine: &'static str,
    /// Whether the same run gives the same figures.
    pub is_virtual: bool,
}

impl Job {
    fn order(&self) -> Order<'_> {
        let Job { conditions, special, position, processors, .. } = self;
        Order { special: *special, ..Order::new(conditions, *position, *processors) }
    }
}

/// Why an experiment cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A search went wrong.
    #[error("{key}: {error}")]
    Lab {
        /// Which run.
        key: String,
        /// What went wrong.
        error: LabError,
    },
    /// A search panicked.
    #[error("{0}: the search broke down")]
    Broken(String),
    /// A result cannot be kept.
    #[error("{0}; all results before this one are kept")]
    Store(#[from] StoreError),
    /// The results that are there are those of another program.
    #[error(
        "{key}: {now} nodes, and {then} nodes when the results were written: they come from a program that searches differently. \
         Begin anew with --fresh"
    )]
    Outdated {
        /// Which run.
        key: String,
        /// What came out now.
        now: u64,
        /// What came out then.
        then: u64,
    },
}

/// The key of a run.
#[must_use]
pub fn key(subject: &SubjectPlan, setup: &Setup, position: usize, seed: u64, repetition: u32) -> String {
    let mut key =
        format!("{} | {} | position {} seed {seed}", subject.name(), setup.key(subject), position + 1);
    if repetition > 1 {
        key += &format!(" repetition {repetition}");
    }
    key
}

/// The sequential searches of a game, and all others.
#[must_use]
pub fn jobs(plan: &Plan, subject: &SubjectPlan, positions: usize) -> (Vec<Job>, Vec<Job>) {
    let mut seen = HashSet::new();
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for setup in &plan.setups {
        let baseline = setup.alone();
        for position in 0..positions {
            let baseline_key = key(subject, &baseline, position, plan.seeds[0], 1);
            let mut job = |setup: &Setup, seed, key: String| {
                seen.insert(key.clone()).then(|| Job {
                    key,
                    conditions: setup.conditions(subject, seed),
                    special: setup.special,
                    position,
                    processors: setup.processors,
                    alone: baseline_key.clone(),
                    engine: setup.engine,
                    is_virtual: setup.is_virtual(),
                })
            };
            alone.extend(job(&baseline, plan.seeds[0], baseline_key.clone()));
            for &seed in &plan.seeds {
                for repetition in 1..=plan.repetitions {
                    together.extend(job(setup, seed, key(subject, setup, position, seed, repetition)));
                }
            }
        }
    }
    (alone, together)
}

/// Those whose results are not known yet.
#[must_use]
pub fn missing(jobs: &[Job], store: &Store) -> Vec<Job> {
    jobs.iter().filter(|job| store.get(&job.key).is_none()).cloned().collect()
}

/// What the one who waits for an experiment is asked and told.
pub struct Watcher<'run> {
    /// Whether no more runs should begin.
    pub stop: &'run (dyn Fn() -> bool + Sync),
    /// A run is done.
    pub done: &'run mut (dyn FnMut(&Job) + Send),
}

/// Runs all jobs, so many at a time, and keeps their results. On request it ends after those that have begun; then
/// not all results are there.
///
/// # Errors
/// When a search goes wrong, or its result cannot be kept. All results before it are kept.
pub fn perform(
    subject: &dyn Subject,
    jobs: &[Job],
    side_by_side: usize,
    store: &mut Store,
    watcher: &mut Watcher<'_>,
) -> Result<(), RunError> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let stop = watcher.stop;
    let shared: Mutex<(&mut Store, &mut Watcher<'_>, Option<RunError>)> = Mutex::new((store, watcher, None));
    // Which job each worker is at, for those that break down.
    let at: Vec<AtomicUsize> = (0..side_by_side.max(1)).map(|_| AtomicUsize::new(usize::MAX)).collect();
    let program = |here: &dyn fabric::Processor| {
        while !stop() && !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { break };
            at[here.id().index()].store(index, Ordering::Relaxed);
            let run = subject.perform(&job.order());
            let Ok(mut shared) = shared.lock() else { break };
            let (store, watcher, error) = &mut *shared;
            match run
                .map_err(|error| RunError::Lab { key: job.key.clone(), error })
                .and_then(|run| keep(store, job, &Record::new(job.key.clone(), store.version(), &run)))
            {
                Ok(()) => (watcher.done)(job),
                Err(found) => {
                    failed.store(true, Ordering::Relaxed);
                    error.get_or_insert(found);
                }
            }
        }
    };
    let ended = fabric::threads::run(side_by_side.max(1), search::STACK_BYTES, &program);
    let error = shared.into_inner().ok().and_then(|(_, _, error)| error);
    let broken = ended.iter().position(Option::is_none);
    match (error, broken) {
        (Some(error), _) => Err(error),
        (None, Some(worker)) => {
            let job = jobs.get(at[worker].load(Ordering::Relaxed));
            Err(RunError::Broken(job.map_or_else(|| "a run".to_owned(), |job| job.key.clone())))
        }
        (None, None) => Ok(()),
    }
}

/// Keeps the result of a run whose value is right.
fn keep(store: &mut Store, job: &Job, record: &Record) -> Result<(), RunError> {
    if job.conditions.is_exact()
        && let Some(alone) = store.get(&job.alone)
        && alone.score != record.score
    {
        let error = LabError::WrongValue {
            position: job.position + 1,
            processors: job.processors,
            found: record.score.clone(),
            expected: alone.score.clone(),
        };
        return Err(RunError::Lab { key: job.key.clone(), error });
    }
    Ok(store.add(record.clone())?)
}

/// Repeats the smallest virtual run of each engine whose result is there, on one processor and on several: results of
/// another program are found out by that.
///
/// # Errors
/// When the figures are others.
pub fn verify(subject: &dyn Subject, jobs: &[Job], store: &Store) -> Result<(), RunError> {
    let mut smallest: BTreeMap<(&str, bool), (&Record, &Job)> = BTreeMap::new();
    for job in jobs.iter().filter(|job| job.is_virtual) {
        let Some(record) = store.get(&job.key) else { continue };
        let known = smallest.entry((job.engine, job.processors > 1)).or_insert((record, job));
        if record.nodes < known.0.nodes {
            *known = (record, job);
        }
    }
    for (record, job) in smallest.into_values() {
        let failed = |error| RunError::Lab { key: job.key.clone(), error };
        let run = subject.perform(&job.order()).map_err(failed)?;
        let now = Record::new(job.key.clone(), store.version(), &run);
        if !now.agrees_with(record) {
            return Err(RunError::Outdated { key: job.key.clone(), now: now.nodes, then: record.nodes });
        }
    }
    Ok(())
}
