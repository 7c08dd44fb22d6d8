//! Transposition-driven scheduling for two players, after Kishimoto and Schaeffer's TDSAB (2002), with the windows of
//! MTD(f) or of NegaScout. Every position has a home, by its signature; a processor that wants to know what it is worth
//! in a window asks there.
//!
//! # How a question is answered
//!
//! The home looks into its part of the table. What that does not answer becomes a *job*: the moves are found and the
//! homes of the positions behind them are asked in turn, one depth less. Positions with little depth left, and those
//! that are the business of one processor alone (`--table-depth`), are searched where they are. A job is done when a
//! move is good enough or all have been settled; then all who asked are answered.
//!
//! - *Null windows.* Where a cut is expected the first move is asked about alone, and all others at once when it has
//!   not cut (young brothers wait); elsewhere all at once.
//! - *Open windows.* The first move is asked about alone, in the whole window. Of the others it is asked whether they
//!   are better, all at once; of those that are, one after the other, how much (as in Jamboree). With alpha-beta all
//!   others are asked about in the window that is left.
//! - *The root* is asked about by the leader (processor 0): with MTD(f) in one null window after another, until both
//!   sides meet, from above with SSS\* and from below with DUAL\*; with NegaScout in an open one.
//!
//! # Several at once
//!
//! - *Several ask the same question.* They wait for the same job, if depth and window are the same.
//! - *No job waits for ever.* A job waits only for jobs of less depth.
//! - *A cut.* What was asked about the other moves is taken back (`Drop`); a job that none waits for any more is
//!   dropped, and takes back what it has asked in turn.
//! - *The table forgets.* What was asked for is answered before it is stored, so nothing depends on what is there
//!   later.
//! - *A processor dies.* Homes are those of the living: all drop their jobs, what is known stays where it is,
//!   and the leader asks again. Messages say whom their sender knows to be dead. Those of a sender who does not know
//!   yet are ignored; those of one who knows more wait until the news have come here too.
//!
//! Races, and why they are harmless: an `Answer` that meets a `Drop` finds no job and is forgotten; a `Drop` that
//! meets an `Answer` finds no asker. Numbers of jobs are never used again, so no message is taken for one about
//! another job; a move is asked about again only after the answer to the question before. Messages of one sender keep
//! their order, so no `Drop` overtakes its question.
//!
//! The moves from the root travel with a question. Where the way to a position matters, because the rules count
//! repetitions, positions that were reached in different ways have different keys, as in all our tables: so values are
//! those of a search on one processor.

mod answering;
mod home;
mod leading;
mod protocol;
mod worker;

use fabric::{Processor, ProcessorId};
use game::Game;
use search::experience::Lessons;
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
    let settings = Settings { first_depth: 1, ..task.settings };
    let Task { game, root, knowledge, .. } = task;
    let toll = Toll { here, cost: tools.pace.cost, nodes: 0 };
    let lessons = Lessons::shared(knowledge, tools.facts.as_ref(), None);
    let searcher = Searcher::keeping(*game, *root, &settings, &table, knowledge, watch, toll, lessons);
    let mut worker = Worker::new(here, task, settings, (table, searcher), meter, tools.pace);
    let report = worker.run(leads, tools, progress);
    worker.share(report, table)
}
