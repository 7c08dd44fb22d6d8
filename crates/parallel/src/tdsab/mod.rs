//! Transposition-driven scheduling for two players, after Kishimoto and Schaeffer's TDSAB (2002): null windows
//! alone, driven by MTD(f). Every position has a home, by its signature; whoever wants to know whether it is worth
//! at least so much asks there.
//!
//! # How a question is answered
//!
//! The home looks in its part of the table, where bounds are kept by position and depth. What that does not answer
//! becomes a *job*: the moves are found and the homes of the positions behind them are asked in turn, one depth
//! less. Where a cut is expected the first move is asked about alone, and all others at once when it has not cut
//! (young brothers wait); elsewhere all at once. Positions with little depth left are searched where they are. A
//! job is done when a move is good enough or all have been refuted; then all who asked are answered. The leader
//! (processor 0) asks about the root, with one window after another, until both sides meet.
//!
//! - *Several ask the same question.* They wait for the same job: all windows are null, so the question is the same
//!   if depth and bound are.
//! - *Nobody waits for ever.* A job waits only for jobs of less depth.
//! - *A cut.* What was asked about the other moves is taken back (`Drop`); a job that nobody waits for any more is
//!   dropped, and takes back what it has asked in turn.
//! - *A processor dies.* Homes are those of the living: everybody drops its jobs and keeps its bounds, and the leader
//!   asks again. Messages say whom their sender knows to be dead. Those of a sender who does not know yet are
//!   ignored; those of one who knows more wait until the news have come here too.
//!
//! Races, and why they are harmless: an `Answer` that meets a `Drop` finds no job and is forgotten; a `Drop` that
//! meets an `Answer` finds nobody waiting. Numbers of jobs are never used again, so no message is taken for one
//! about another job. Messages of one sender keep their order, so no `Drop` overtakes its question.
//!
//! The moves from the root travel with a question. Where the way to a position matters, because the rules count
//! repetitions, positions that were reached in different ways have different keys, as in all our tables: so values are
//! those of a search on one processor.

mod home;
mod protocol;
mod worker;

use fabric::{Processor, ProcessorId};
use game::Game;
use search::watch::Watch;
use search::{Limits, Progress, Searcher, Settings};
use table::Table;

use crate::measures::Activity;
use crate::meter::Meter;
use crate::stealing::{Share, Task, Tools};
use crate::timeline::Recorder;
use worker::{Toll, Worker};

/// The program of one processor.
pub(crate) fn work<'run, G: Game>(
    here: &'run dyn Processor,
    task: &'run Task<'run, G>,
    table: &'run dyn Table,
    tools: &Tools<'run>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Share {
    let recorder = |timeline| Recorder { timeline, processor: here.id(), epoch: tools.epoch };
    let meter = Meter::new(here, Activity::Searching, task.timeline.map(recorder));
    let leads = here.id() == ProcessorId(0);
    let free = Limits::default();
    let limits = if leads { &task.limits } else { &free };
    let watch = Watch::new(limits, tools.control, tools.clock).together(Some(tools.team));
    // Homes keep what is known; the little searches of one processor keep nothing.
    let mut settings = Settings { first_depth: 1, ..task.settings };
    settings.heuristics.table = false;
    let Task { game, root, knowledge, .. } = task;
    let toll = Toll { here, cost: tools.pace.cost, nodes: 0 };
    let mut searcher = Searcher::new(*game, *root, &settings, &table, knowledge, watch, toll);
    if let Some(facts) = &tools.facts {
        searcher = searcher.with_facts(std::sync::Arc::clone(facts));
    }
    let mut worker = Worker::new(here, task, settings, searcher, meter, tools.pace);
    let report = worker.run(leads, tools, progress);
    worker.share(report, table)
}
