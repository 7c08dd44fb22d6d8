//! `multigame lab trace` and `lab tree`: pictures of one run.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use lab::{Order, Run, Subject, trace, tree};
use parallel::stealing::{Driver, Everybody};
use parallel::tree::Growth;
use parallel::{Interval, Timeline};

use super::{Opening, PUZZLES, stoppable};
use crate::cli::Global;
use crate::cli::lab::{FabricName, Speedup, Trace, Tree};
use crate::files::write;
use crate::{Exit, interrupt};

/// Intervals of all processors together that are kept: some hundred megabytes.
const INTERVALS_MAX: usize = 4 << 20;
/// Nodes of a tree that are kept until it is drawn: about as much.
const NODES_MAX: usize = 1 << 20;
/// More threads than this have no machine.
const THREADS_MAX: u64 = 512;

pub(super) fn trace(options: &Trace, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let run = &options.run;
    let (position, processors) = (options.number.max(1) - 1, processors(run, global)?);
    with_position(run, position, global, PUZZLES, &mut |subject| {
        let timeline = Timeline::with_most(processors, INTERVALS_MAX / processors);
        let conditions = run.conditions(global);
        subject.warm_up(&conditions)?;
        let Some(found) = perform(subject, run, &Order::new(&conditions, position, processors), &timeline)?
        else {
            return Ok(Exit::Interrupted);
        };
        let (intervals, end) = (timeline.take(), Duration::from_secs_f64(found.seconds));
        let title = title(subject, (run, global), position, processors);
        if global.json {
            let parts: serde_json::Map<String, serde_json::Value> = trace::parts(&intervals, processors, end)
                .into_iter()
                .map(|(part, activity)| (activity.name().to_owned(), part.into()))
                .collect();
            let row = serde_json::json!({ "processors": processors, "seconds": found.seconds, "nodes": found.nodes,
                "intervals": intervals.len(), "lost": timeline.lost(), "parts": parts });
            writeln!(out, "{row}")?;
        } else {
            tell(&title, &found, &intervals, processors, out)?;
            if timeline.lost() > 0 {
                let lost = timeline.lost();
                writeln!(
                    out,
                    "{lost} intervals at the end were not kept: search less deep for a whole trace"
                )?;
            }
        }
        // What is known is told before anything can go wrong with a file.
        out.flush()?;
        if let Some(path) = &run.svg {
            write(path, &trace::svg(&title, &intervals, processors, end))?;
        }
        if let Some(path) = &options.events {
            write(path, &trace::events(&title, &intervals, processors))?;
        }
        Ok(Exit::Success)
    })
}

/// Makes the run that is drawn; `None` when it was stopped, for half a run is no picture.
fn perform(
    subject: &dyn Subject,
    run: &Speedup,
    order: &Order<'_>,
    timeline: &Timeline,
) -> Result<Option<Run>> {
    let (control, _stopper) = stoppable();
    let special = run.special();
    let found =
        subject.perform(&Order { special, timeline: Some(timeline), stop: Some(&control), ..*order })?;
    Ok((!interrupt::requested()).then_some(found))
}

/// What the processors did, in words.
fn tell(
    title: &str,
    found: &Run,
    intervals: &[Interval],
    processors: usize,
    out: &mut dyn Write,
) -> Result<()> {
    let (seconds, nodes, count) = (found.seconds, found.nodes, intervals.len());
    writeln!(out, "{title}: {seconds:.6} s, {nodes} nodes, {count} intervals")?;
    for (part, activity) in trace::parts(intervals, processors, Duration::from_secs_f64(seconds)) {
        writeln!(out, "{:>6.1}% {}", 100.0 * part, activity.name())?;
    }
    Ok(())
}

pub(super) fn tree(options: &Tree, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let run = &options.run;
    let (position, processors) = (options.number.max(1) - 1, processors(run, global)?);
    let Some(path) = &run.svg else { bail!("say where to draw the tree: --svg FILE") };
    if run.engine.puzzle.is_some() {
        bail!("`{}` shares out puzzles, and {OF_PUZZLES}", run.engine.name);
    }
    let policy = &run.engine.policy;
    if policy.driver != Driver::Brothers || policy.everybody == Everybody::Meets {
        bail!(
            "`{}` shares no single nodes, which the picture is made of: give an engine that does, such as ybwc, \
             jamboree or abdada; `lab trace` draws what processors do with any engine",
            run.engine.name
        );
    }
    with_position(run, position, global, OF_PUZZLES, &mut |subject| {
        let timeline = Timeline::with_most(processors, 0).with_nodes(options.plies, NODES_MAX);
        let conditions = run.conditions(global);
        let Some(found) = perform(subject, run, &Order::new(&conditions, position, processors), &timeline)?
        else {
            return Ok(Exit::Interrupted);
        };
        let title = title(subject, (run, global), position, processors);
        let mut nodes = Growth::new(NODES_MAX);
        timeline.take_nodes().into_iter().for_each(|node| nodes.add(node));
        nodes.keep_last_iteration();
        let Some(grown) = subject.tree(position, &nodes, options.width)? else {
            bail!(
                "{}: no node of this search is deep enough to be shared: give a greater --depth, or a smaller \
                 --least-depth",
                run.engine.name
            );
        };
        write(path, &tree::svg(&grown, &title))?;
        let (count, path) = (grown.count(), path.display());
        if global.json {
            writeln!(
                out,
                "{}",
                serde_json::json!({ "nodes": found.nodes, "drawn": count, "score": found.score })
            )?;
        } else {
            writeln!(out, "{title}: {}, {count} of {} nodes drawn in {path}", found.score, found.nodes)?;
        }
        Ok(Exit::Success)
    })
}

/// What to do where a tree of a puzzle is wanted.
const OF_PUZZLES: &str = "states of puzzles have no windows and no tree: `lab trace --engine tds` draws what processors \
                          do about one";

/// One run has one number of processors.
fn processors(run: &Speedup, global: &Global) -> Result<usize> {
    run.check_picture(global)?;
    match run.processors.as_slice() {
        [count] if run.fabric == FabricName::Threads => threads(run, *count),
        [count] => Ok(*count as usize),
        _ => bail!("a picture is of one run: give one number of --processors"),
    }
}

/// Threads tell what they do where they give each other work by messages.
fn threads(run: &Speedup, count: u64) -> Result<usize> {
    let name = run.engine.name;
    if run.engine.puzzle.is_some() {
        bail!("threads do not write down what they do about a puzzle: give --fabric virtual");
    }
    if run.engine.policy.everybody == Everybody::Defers {
        bail!(
            "threads with `{name}` search side by side, and neither send anything nor wait: there is nothing to draw; \
             give --fabric virtual, or an engine such as ybwc"
        );
    }
    if !(2..=THREADS_MAX).contains(&count) {
        bail!("a picture is of 2 to {THREADS_MAX} threads: give --processors 2, or --fabric virtual");
    }
    Ok(count as usize)
}

fn title(
    subject: &dyn Subject,
    (run, global): (&Speedup, &Global),
    position: usize,
    processors: usize,
) -> String {
    let suite = run.suite.as_ref().map_or(String::new(), |suite| format!(" {suite} {}", position + 1));
    let Speedup { depth, engine, .. } = run;
    format!(
        "{}{suite}, depth {depth}, {}, {processors} processors, {}",
        subject.game(),
        engine.name,
        run.fabric(global).name()
    )
}

fn with_position(
    run: &Speedup,
    position: usize,
    global: &Global,
    of_puzzles: &'static str,
    experiment: &mut dyn FnMut(&dyn Subject) -> Result<Exit>,
) -> Result<Exit> {
    run.choose_keys()?;
    let opening = Opening {
        choice: &run.choice(),
        evaluation: run.judged.evaluation,
        suite: run.suite.as_deref(),
        first: None,
        only: None,
        of_puzzles,
    };
    let checked = &mut |subject: &dyn Subject| {
        if position >= subject.positions() {
            bail!("there is no position {}: there are {}", position + 1, subject.positions());
        }
        experiment(subject)
    };
    match run.engine.puzzle {
        Some(_) => opening.with_puzzle(global.seed.unwrap_or(1), checked),
        None => opening.with(checked),
    }
}
