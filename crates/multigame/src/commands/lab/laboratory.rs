//! Makes the runs of an experiment, game by game.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};
use lab::Subject;
use lab::experiment::{Job, Plan, Store, SubjectPlan, SummaryRow, Watcher, runner, summary};

use super::{Opening, check_memory};
use crate::cli::{Evaluation, GameChoice, Generator, STRONG};
use crate::progress::Progress;
use crate::{Exit, interrupt};

/// An experiment and how it is made.
pub(super) struct Laboratory {
    pub(super) plan: Plan,
    /// What it is called in messages.
    pub(super) name: String,
    pub(super) generator: Generator,
    /// How many virtual runs to make side by side; without it, one for each core.
    pub(super) jobs: Option<u32>,
    /// Begin no more runs after so many seconds.
    pub(super) time: Option<f64>,
    pub(super) began: Instant,
}

/// How far an experiment has come.
#[derive(Default)]
pub(super) struct State {
    pub(super) lines: Vec<SummaryRow>,
    /// Runs whose results are known.
    pub(super) known: usize,
    /// Runs that are not made yet.
    pub(super) missing: usize,
}

impl Laboratory {
    /// Makes all runs that are missing. Whatever goes wrong, what is known is in `state`.
    pub(super) fn measure(&self, store: &mut Store, state: &mut State, out: &mut dyn Write) -> Result<()> {
        let mut counted = Vec::new();
        let measured = self
            .plan
            .subjects
            .iter()
            .try_for_each(|subject| self.with_subject(subject, store, state, &mut counted, out));
        if counted.len() == self.plan.subjects.len() {
            state.lines.extend(summary::total(&self.plan, &counted, store));
        }
        measured
    }

    fn with_subject<'plan>(
        &self,
        plan: &'plan SubjectPlan,
        store: &mut Store,
        state: &mut State,
        counted: &mut Vec<summary::Counted<'plan>>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let choice = GameChoice { game: plan.game.clone(), position: None, generator: self.generator };
        let opening = Opening {
            choice: &choice,
            evaluation: evaluation(plan.evaluation.as_deref()),
            suite: plan.suite.as_deref(),
            first: plan.first,
            only: plan.only,
            of_puzzles: "puzzles are shared out by the engines tds and stealing, in an experiment of their own",
        };
        let work = &mut |subject: &dyn Subject| {
            let result = self.search(subject, plan, store, out);
            let (alone, together) = runner::jobs(&self.plan, plan, subject.positions());
            let all = [alone, together].concat();
            let missing = runner::missing(&all, store).len();
            (state.known, state.missing) = (state.known + all.len() - missing, state.missing + missing);
            counted.push((plan, subject.positions()));
            state.lines.extend(summary::lines(&self.plan, plan, subject.positions(), store));
            result.map(|()| Exit::Success)
        };
        let opened = match self.plan.is_of_puzzles() {
            true => opening.with_puzzle(plan.position_seed.unwrap_or(1), work),
            false => opening.with(work),
        };
        opened.with_context(|| format!("{}, line {}", self.name, plan.line))?;
        Ok(())
    }

    /// Makes the runs of one game that are missing.
    fn search(
        &self,
        subject: &dyn Subject,
        plan: &SubjectPlan,
        store: &mut Store,
        out: &mut dyn Write,
    ) -> Result<()> {
        let (alone, together) = runner::jobs(&self.plan, plan, subject.positions());
        let missing = [runner::missing(&alone, store), runner::missing(&together, store)];
        let (left, all) = (missing.iter().map(Vec::len).sum::<usize>(), alone.len() + together.len());
        let runs = if all == 1 { "run" } else { "runs" };
        writeln!(out, "{STRONG}{}{STRONG:#}: {left} of {all} {runs} to make", plan.name())?;
        out.flush()?;
        if self.is_over() {
            return Ok(());
        }
        missing.iter().try_for_each(|jobs| self.check_memory(jobs))?;
        // Results that are there are looked at even if none is missing: they are about to be told as those of this
        // program.
        runner::verify(subject, &[alone, together].concat(), store)?;
        if let Some(job) = missing.iter().flatten().next() {
            let failed = |error| runner::RunError::Lab { key: job.key.clone(), error };
            subject.warm_up(&job.conditions).map_err(failed)?;
        }
        let (mut done, mut progress) = (0, Progress::new());
        for jobs in missing {
            let stop = || self.is_over();
            let mut told = |job: &Job| {
                done += 1;
                progress.show(done, left as u64, || format!("{done} of {left} runs: {}", job.key));
            };
            let mut watcher = Watcher { stop: &stop, done: &mut told };
            runner::perform(subject, &jobs, self.side_by_side(&jobs), store, &mut watcher)?;
        }
        Ok(())
    }

    /// Refuses runs whose tables do not fit beside those of the runs that are made at the same time.
    fn check_memory(&self, jobs: &[Job]) -> Result<()> {
        let Some(largest) = jobs.iter().max_by_key(|job| memory(job)) else { return Ok(()) };
        let side_by_side = self.side_by_side(jobs);
        let (processors, kib) = (tables(largest), (largest.conditions.table_bytes >> 10) as u64);
        let runs = if side_by_side > 1 {
            format!(", in {side_by_side} runs at a time (--jobs)")
        } else {
            String::new()
        };
        check_memory(processors * side_by_side, kib, "`table_kib`")
            .with_context(|| format!("{}{runs}", largest.key))
    }

    fn is_over(&self) -> bool {
        let late = self.time.is_some_and(|most| self.began.elapsed().as_secs_f64() >= most);
        late || interrupt::requested()
    }

    /// Runs on real processors are made one after the other: they would be in each other's way.
    fn side_by_side(&self, jobs: &[Job]) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = self.jobs.map_or(cores, |jobs| jobs as usize);
        if jobs.iter().all(|job| job.is_virtual) { wanted.min(jobs.len()).max(1) } else { 1 }
    }
}

/// How many tables of the size that is said a run has.
fn tables(job: &Job) -> usize {
    if job.conditions.equal_memory { 1 } else { job.processors }
}

/// What its tables take, in bytes.
fn memory(job: &Job) -> u64 {
    tables(job) as u64 * job.conditions.table_bytes as u64
}

fn evaluation(name: Option<&str>) -> Evaluation {
    match name {
        Some("rules") => Evaluation::Rules,
        Some("derived") => Evaluation::Derived,
        Some("none") => Evaluation::None,
        // Results that are kept do not depend on which networks there are.
        _ => Evaluation::Plain,
    }
}
