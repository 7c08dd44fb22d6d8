//! Searches that a leader directs: it decides which positions are searched in which windows, gives them to the
//! others, and puts together what comes back. The protocol is explained in README.md in this folder; the algorithms
//! differ in their plan (`plan.rs`).

mod aphid;
mod aspiration;
mod clerk;
mod er;
mod job;
mod lead;
mod plan;
mod sss;
mod tree;
mod tree_plan;
mod uidpabs;

use fabric::{Processor, ProcessorId};
use game::{Game, Move, RuleFault};
use search::experience::Lessons;
use search::guided::Inquiry;
use search::watch::{Interrupt, Watch};
use search::{Alone, Control, Depth, Limits, Progress, Report, Score, Searcher, Settings, StoppedClock};
use table::Table;

use crate::measures::Activity;
use crate::meter::Meter;
use crate::stealing::{Message, Share, Task, Tools};
use crate::timeline::Recorder;
use clerk::Clerk;
use job::{Answer, Job};
use lead::Lead;
use plan::{Plan, Scout};
use tree_plan::TreePlan;

/// What a leader does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Each searches the root in a window of its own.
    Aspiration,
    /// The moves of the root are dealt out once.
    Uidpabs,
    /// The leader repeats the top of the tree, and the others deepen its leaves.
    Aphid,
    /// The elder grandchildren first.
    EldersFirst,
    /// The highest bound of the root first.
    Sss,
}

/// Plies of the tree that the leader has in its memory, where it has one.
const TOP_PLIES: usize = 2;

impl Direction {
    /// The depth up to which the leader searches alone.
    fn depth_alone(self) -> i32 {
        match self {
            Direction::Aspiration | Direction::Uidpabs => 1,
            Direction::Aphid | Direction::EldersFirst | Direction::Sss => TOP_PLIES as i32,
        }
    }

    fn plan<'run, G: Game>(
        self,
        task: &Task<'_, G>,
        clerk: &Clerk<'_, G>,
        last: Depth,
    ) -> Box<dyn Plan<G> + 'run> {
        let unit = if task.settings.heuristics.aspiration { task.knowledge.unit } else { 0 };
        let leader = clerk.here.id();
        let mut living = vec![leader];
        living.extend(clerk.others());
        let others = living.len() - 1;
        match self {
            Direction::Aspiration => Box::new(aspiration::Aspiration::new(living.len(), unit)),
            Direction::Uidpabs => Box::new(uidpabs::Uidpabs::new(living, last)),
            Direction::Aphid => {
                Box::new(TreePlan::new(aphid::Aphid::default(), TOP_PLIES, unit, leader, others))
            }
            Direction::EldersFirst => {
                Box::new(TreePlan::new(er::EldersFirst, TOP_PLIES, unit, leader, others))
            }
            Direction::Sss => Box::new(TreePlan::new(sss::Sss, TOP_PLIES, unit, leader, others)),
        }
    }
}

type Member<'run, G> = Searcher<'run, G, &'run dyn Table, Clerk<'run, G>>;

/// The program of one processor.
pub(crate) fn work<'run, G: Game>(
    here: &'run dyn Processor,
    task: &'run Task<'run, G>,
    direction: Direction,
    table: &'run dyn Table,
    tools: &Tools<'run>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Share {
    let recorder = |timeline| Recorder { timeline, processor: here.id(), epoch: tools.epoch };
    let leads = here.id() == ProcessorId(0);
    let meter = Meter::new(
        here,
        if leads { Activity::Searching } else { Activity::Synchronising },
        task.timeline.map(recorder),
    );
    let clerk = Clerk::new(here, table, tools.pace, meter);
    let (free, scout_control) = (Limits::default(), Control::default());
    let limits = if leads { &task.limits } else { &free };
    let watch = Watch::new(limits, tools.control, tools.clock).together(Some(tools.team));
    let Task { game, root, settings, knowledge, .. } = task;
    let lessons = || Lessons::shared(knowledge, tools.facts.as_ref(), None);
    let mut searcher = Searcher::keeping(*game, *root, settings, &table, knowledge, watch, clerk, lessons());
    let scout_watch = Watch::new(&free, &scout_control, &StoppedClock);
    let scout = Searcher::keeping(*game, *root, settings, &table, knowledge, scout_watch, Alone, lessons());
    let scout = Scout { here, searcher: scout, cost: tools.pace.cost };
    let report = if leads {
        Some(lead(&mut searcher, task, direction, scout, progress))
    } else {
        follow(&mut searcher, task, direction, scout, tools)
    };
    let mut statistics = searcher.statistics();
    let clerk = searcher.company();
    if let Some(lead) = &clerk.lead {
        let scouted = lead.scout.statistics();
        clerk.meter.measures.nodes += scouted.nodes;
        statistics += scouted;
    }
    Share { measures: clerk.finish(), statistics, report }
}

/// Makes a search.
fn perform<G: Game>(searcher: &mut Member<'_, G>, job: &Job) -> Result<(Score, Vec<Move>), Interrupt> {
    let Job { line, only, window, depth, .. } = job;
    if only.is_empty() {
        let score = searcher.inquire(&Inquiry { line, window: *window, depth: *depth })?;
        return Ok((score, searcher.best_line(line.len())));
    }
    let mut moves = only.clone();
    if let Some(first) = &searcher.company().favourite
        && let Some(index) = moves.iter().position(|played| played.view().same_as(first.view()))
    {
        moves[..=index].rotate_right(1);
    }
    let (score, line) = searcher.inquire_moves(&moves, *window, *depth)?;
    searcher.company().favourite = line.first().cloned();
    Ok((score, line))
}

/// Searches what the leader wants until the search is over; leads it if the leader dies.
fn follow<'run, G: Game>(
    searcher: &mut Member<'run, G>,
    task: &Task<'_, G>,
    direction: Direction,
    scout: Scout<'run, G>,
    tools: &Tools<'run>,
) -> Option<Result<Report, RuleFault>> {
    loop {
        let clerk = searcher.company();
        clerk.serve();
        if clerk.is_over() {
            return None;
        }
        if clerk.must_lead() {
            clerk.becomes_leader();
            searcher.take_over(&task.limits, tools.outside.0, tools.outside.1, tools.epoch);
            return Some(lead(searcher, task, direction, scout, &mut |_| {}));
        }
        match clerk.take_job() {
            Some((ticket, job)) => {
                let result = perform(searcher, &job);
                searcher.company().give_back(ticket, job, result);
            }
            None => clerk.sleep(),
        }
    }
}

/// Searches the root with the others, iteration by iteration, and sends all home.
fn lead<'run, G: Game>(
    searcher: &mut Member<'run, G>,
    task: &Task<'_, G>,
    direction: Direction,
    scout: Scout<'run, G>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    let report = lead_on(searcher, task, direction, scout, progress);
    searcher.company().tell_others(&Message::End);
    report
}

fn lead_on<'run, G: Game>(
    searcher: &mut Member<'run, G>,
    task: &Task<'_, G>,
    direction: Direction,
    scout: Scout<'run, G>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Report, RuleFault> {
    searcher.company().meter.turn_to(Activity::Searching);
    let last = task.limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX);
    // What is so shallow is not worth a message, and after it there is a move.
    let alone = Depth(direction.depth_alone()).min(last);
    let settings = Settings { first_depth: 1, ..task.settings };
    let limits = Limits { depth: Some(alone), ..task.limits };
    let report = searcher.lead(&settings, &limits, progress)?;
    let is_complete = report.depth == alone && report.fault.is_none() && report.best.is_some();
    if !is_complete || alone == last {
        return Ok(report);
    }
    let clerk = searcher.company();
    let plan = direction.plan(task, clerk, last);
    let (processors, tickets) = (clerk.here.processors(), clerk.first_ticket());
    clerk.lead = Some(Box::new(Lead::new(plan, scout, processors, tickets)));
    let mut depth = (clerk.last_iteration + 1).min(last).max(alone + 1);
    let (mut reached, mut fault) = ((report.depth, report.score), None);
    while depth <= last && searcher.may_go_on() {
        match iterate(searcher, depth, reached.1, depth == last) {
            Ok((score, line)) => {
                searcher.conclude(depth, score, line, progress);
                searcher.company().tell_others(&Message::Iteration { depth });
                reached = (depth, score);
            }
            Err(Interrupt::Fault(found)) => {
                fault = Some(found);
                break;
            }
            Err(Interrupt::Stopped | Interrupt::Cut { .. }) => break,
        }
        let is_settled = reached.1.distance().is_some_and(|plies| plies.abs() <= depth.0);
        if is_settled && task.limits.depth.is_none() && !task.limits.ponder {
            break;
        }
        depth = depth + 1;
    }
    Ok(searcher.summary(reached.0, reached.1, fault))
}

/// One iteration: the leader gives out searches, and makes some of them itself.
fn iterate<G: Game>(
    searcher: &mut Member<'_, G>,
    depth: Depth,
    guess: Score,
    is_last: bool,
) -> Result<(Score, Vec<Move>), Interrupt> {
    searcher.company().begin(depth, guess, is_last);
    loop {
        let clerk = searcher.company();
        clerk.serve();
        if let Some(found) = clerk.value()? {
            return Ok(found);
        }
        let Some((ticket, job)) = clerk.take_job() else {
            clerk.sleep();
            searcher.look_at_limits()?;
            continue;
        };
        let result = perform(searcher, &job);
        let clerk = searcher.company();
        let was_left = clerk.put_down();
        match result {
            Ok((score, line)) => clerk.absorb(ticket, Answer { score, line }),
            Err(Interrupt::Fault(fault)) => return Err(Interrupt::Fault(fault)),
            // Another one was faster, or a limit is reached.
            Err(interrupt) if !was_left && clerk.value()?.is_none() => return Err(interrupt),
            Err(_) => {}
        }
    }
}
