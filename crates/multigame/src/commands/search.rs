//! `multigame search`: a position, an engine, and what it thinks.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use game::{Game, Position, fen};
use protocol::{EngineOptions, Session, Thought, Variation};
use search::{Engine, Progress, Report};
use serde_json::{Value, json};

use crate::Exit;
use crate::checkpoint::{Checkpoint, Spent};
use crate::cli::{Global, STRONG, SearchArguments};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::lines::{progress_in_words, score_as_json, tell_remarks};
use crate::numbers::{grouped, per_second};
use crate::{cluster, interrupt, teamwork, tuned};

pub(super) fn run(options: &SearchArguments, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_player(&options.choice, options.judged, Look { options, global, out })
}

struct Look<'run> {
    options: &'run SearchArguments,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Look<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Look { options, global, out } = self;
        let engine_options = EngineOptions {
            settings: options.engine.settings(global),
            hash_mib: options.engine.hash as usize,
            multi_pv: options.multipv as usize,
            threads: global.threads_or_one(),
            method: options.engine.engine.method,
            habits: tuned::habits()?,
            ..EngineOptions::default()
        };
        let session = interrupt::stoppable(|| Session::new(game, start, engine_options))?;
        if global.threads_or_one() > 1 && !parallel::uses_threads(options.engine.engine.engine) {
            let name = options.engine.engine.name;
            let _ = writeln!(anstream::stderr(), "{name} uses one thread: --threads is of no effect");
        }
        warm_up(&session)?;
        let task = session.task(options.limits.limits(), Vec::new())?;
        let task = if options.statistics { task.measured() } else { task };
        let infinite = options.limits.is_infinite() || options.infinite;
        let mut trouble = Ok(());
        let _stopper = interrupt::on_request({
            let control = session.control().clone();
            move || control.stop()
        });
        let checkpoint = open_checkpoint(options, &session)?;
        let nodes = AtomicU64::new(0);
        let mut tell = |rank: usize, news: &Progress<'_>| {
            nodes.store(news.nodes, Ordering::Relaxed);
            if trouble.is_err() {
                return;
            }
            let shown = if global.json {
                iteration_as_json(options, &session, rank, news).to_string()
            } else {
                let rank = if options.multipv > 1 { format!(" {rank:>2}") } else { String::new() };
                progress_in_words(&session, &rank, news)
            };
            trouble = writeln!(out, "{shown}").and_then(|()| out.flush());
            if trouble.is_err() {
                session.control().stop();
            }
        };
        let (thought, kept) = match checkpoint.as_ref().filter(|_| cluster::speaks()) {
            Some(checkpoint) => {
                let thought = checkpoint.while_working(session.table(), &nodes, || task.run(&mut tell))?;
                let Report { nodes, elapsed, .. } = thought.report;
                let spent = Spent { nodes, seconds: elapsed.as_secs_f64() };
                let kept = checkpoint.save(session.table(), spent);
                (thought, kept)
            }
            None => (task.run(&mut tell)?, Ok(())),
        };
        trouble?;
        tell_remarks(&thought);
        let stopped = interrupt::requested();
        match global.json {
            true => as_json(options, &session, &thought, stopped, out)?,
            false => in_words(options, &session, &thought, stopped, out)?,
        }
        // The answer is told even if the rest cannot be kept.
        out.flush()?;
        kept?;
        // Ctrl-C is the proper end of a search without a limit.
        Ok(if stopped && !infinite { Exit::Interrupted } else { Exit::Success })
    }
}

/// The file that a search is kept in. All processes of a cluster read it, and the one that speaks writes it.
fn open_checkpoint<G: Game>(
    options: &SearchArguments,
    session: &Session<'_, G>,
) -> Result<Option<Checkpoint>> {
    let Some(path) = &options.checkpoint else { return Ok(None) };
    let engine = options.engine.engine.engine;
    if !Engine::FULL_WIDTH.contains(&engine) {
        bail!("--checkpoint keeps a table of positions, and {} has none", engine.name());
    }
    Checkpoint::of_session(session, path, options.engine.hash).map(Some)
}

/// What has to be compiled first is compiled now: the time of a search is the time for searching.
pub(super) fn warm_up<G: Game>(session: &Session<'_, G>) -> Result<()> {
    let control = session.control().clone();
    let _stopper = interrupt::on_request(move || control.stop());
    Ok(session.warm_up()?)
}

fn names<G: Game>(session: &Session<'_, G>, line: &Variation) -> Vec<String> {
    crate::lines::names(session, &line.moves)
}

/// What is known after an iteration.
fn iteration_as_json<G: Game>(
    options: &SearchArguments,
    session: &Session<'_, G>,
    rank: usize,
    news: &Progress<'_>,
) -> Value {
    let (value, kind) = score_as_json(news.score, false);
    let pv = crate::lines::names(session, news.principal_variation);
    let seconds = news.elapsed.as_secs_f64();
    let mut row = json!({
        "game": session.info().name,
        "final": false,
        "value": value,
        "kind": kind,
        "score": news.score.to_string(),
        "move": pv.first(),
        "pv": pv,
        "depth": news.depth.0,
        "nodes": news.nodes,
        "seconds": seconds,
    });
    if options.multipv > 1 {
        row["rank"] = json!(rank);
    }
    row
}

fn as_json<G: Game>(
    options: &SearchArguments,
    session: &Session<'_, G>,
    thought: &Thought,
    stopped: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let report = &thought.report;
    let seconds = report.elapsed.as_secs_f64();
    let rows: Vec<Option<&Variation>> = match thought.lines.len() {
        0 => vec![None],
        _ => thought.lines.iter().map(Some).collect(),
    };
    for (index, line) in rows.into_iter().enumerate() {
        let (value, kind) = score_as_json(line.map_or(report.score, |line| line.score), report.proven);
        let pv = line.map_or_else(Vec::new, |line| names(session, line));
        let mut row = json!({
            "game": session.info().name,
            "final": true,
            "position": fen::write(session.info(), &session.position()),
            "engine": options.engine.engine.name,
            "value": value,
            "kind": kind,
            "score": line.map_or(report.score, |line| line.score).to_string(),
            "proven": report.proven,
            "move": pv.first(),
            "pv": pv,
            "depth": line.map_or(report.depth, |line| line.depth).0,
            "nodes": report.nodes,
            "seconds": seconds,
            "nodes_per_second": per_second(report.nodes, seconds),
            "stopped": stopped,
        });
        if options.multipv > 1 {
            row["rank"] = json!(index + 1);
        }
        if options.statistics {
            let rows = report.statistics.rows();
            row["statistics"] = Value::Object(
                rows.into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect(),
            );
            if let Some(teamwork) = &thought.teamwork {
                row["teamwork"] = teamwork::as_json(teamwork);
            }
        }
        writeln!(out, "{row}")?;
    }
    Ok(())
}

fn in_words<G: Game>(
    options: &SearchArguments,
    session: &Session<'_, G>,
    thought: &Thought,
    stopped: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let report = &thought.report;
    let (strong, plain) = (STRONG.render(), STRONG.render_reset());
    if thought.lines.is_empty() {
        writeln!(out, "the game is over: {strong}{}{plain}", report.score)?;
    }
    for (index, line) in thought.lines.iter().enumerate() {
        let names = names(session, line);
        let rank = if options.multipv > 1 { format!("{:>3}. ", index + 1) } else { "best move ".to_owned() };
        let best = names.first().map_or("none", String::as_str);
        writeln!(
            out,
            "{rank}{strong}{best}{plain}, value {strong}{}{plain}: {}",
            line.score,
            names.join(" ")
        )?;
    }
    let seconds = report.elapsed.as_secs_f64();
    writeln!(
        out,
        "{}depth {}, {} nodes in {seconds:.3} s ({} a second)",
        if stopped { "stopped: " } else { "" },
        report.depth.0,
        grouped(report.nodes),
        grouped(per_second(report.nodes, seconds) as u64),
    )?;
    if options.statistics {
        for (name, count) in report.statistics.rows().into_iter().filter(|(_, count)| *count > 0) {
            writeln!(out, "  {:<32} {:>14}", name.replace('_', " "), grouped(count))?;
        }
        if let Some(teamwork) = &thought.teamwork {
            teamwork::in_words(teamwork, out)?;
        }
    }
    Ok(())
}
