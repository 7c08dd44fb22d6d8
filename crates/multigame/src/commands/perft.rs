//! `multigame perft`: move sequences of a given length, counted one by one.

use std::cell::Cell;
use std::io::Write;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use anyhow::Result;
use game::perft::Tally;
use game::{Game, MoveList, MoveView, Position, RuleFault, Stage, notation};
use serde_json::json;

use crate::Exit;
use crate::cli::{Global, Perft};
use crate::generator::{Work, with_game};
use crate::interrupt;
use crate::numbers::{counted, grouped, per_second};
use crate::progress::Progress;

pub(super) fn run(options: &Perft, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_game(&options.choice, Count { options, global, out })
}

struct Count<'run> {
    options: &'run Perft,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Count<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Count { options, global, out } = self;
        let mut tally = Tally::new(options.bulk, &interrupt::requested);
        warm_up(game, &start, options.bulk)?;
        let started = Instant::now();
        let rows = count(game, &start, options.depth, global.threads_or_one(), &mut tally)?;
        let seconds = started.elapsed().as_secs_f64();
        if options.divide {
            for (name, leaves) in &rows {
                match global.json {
                    true => writeln!(out, "{}", json!({ "move": name, "leaves": leaves }))?,
                    false => writeln!(out, "{name}: {}", grouped(*leaves))?,
                }
            }
        }
        let (leaves, complete) = (tally.leaves, !tally.stopped);
        let speed = per_second(leaves, seconds);
        if global.json {
            let mut row = json!({
                "game": game.info().name,
                "depth": options.depth,
                "leaves": leaves,
                "seconds": seconds,
                "leaves_per_second": speed,
                "nodes": tally.nodes + 1,
                "bulk": options.bulk,
                "complete": complete,
            });
            if !options.bulk {
                row["ended"] = json!(tally.ended);
            }
            writeln!(out, "{row}")?;
        } else {
            let so_far = if complete { "" } else { " so far (stopped)" };
            writeln!(
                out,
                "{}, depth {}: {}{so_far} in {seconds:.3} s ({} a second)",
                game.info().name,
                options.depth,
                counted(leaves, "leaf", "leaves"),
                grouped(speed as u64),
            )?;
            let ended = match options.bulk {
                true => String::new(),
                false => {
                    format!(", {} that ended the game", counted(tally.ended, "line", "lines"))
                }
            };
            writeln!(out, "{} in the tree{ended}", counted(tally.nodes + 1, "node", "nodes"))?;
        }
        Ok(if complete { Exit::Success } else { Exit::Interrupted })
    }
}

/// Lets everything be compiled that counting needs: that is not counting. Asks twice whether to stop, so that no more
/// than one ply is looked at.
pub(crate) fn warm_up<G: Game>(game: &G, start: &Position, bulk: bool) -> Result<(), RuleFault> {
    let position = game.pack(start);
    game.perft(&position, 1, &mut Tally::new(bulk, &|| false))?;
    let is_asked = Cell::new(false);
    game.perft(&position, 4, &mut Tally::new(bulk, &|| is_asked.replace(true)))
}

/// With so many parts to each thread, all of them are busy to the end.
const PARTS_PER_THREAD: usize = 16;

/// A position whose lines are to be counted, and the move of the first ply that leads to it.
struct Part<P> {
    first: usize,
    position: P,
    depth: u32,
}

/// The moves of the first ply with the leaves behind each, and the parts into which the count is divided.
struct Division<P> {
    rows: Vec<(String, u64)>,
    parts: Vec<Part<P>>,
}

/// Plays the first ply, and the second one too if several threads shall have enough to do.
fn divide<G: Game>(
    game: &G,
    start: &Position,
    depth: u32,
    threads: usize,
    tally: &mut Tally<'_>,
) -> Result<Division<G::Position>, RuleFault> {
    let (position, mut moves) = (game.pack(start), MoveList::new());
    let is_over = start.outcome().is_some() || game.verdict(start)?.is_some();
    if is_over && game.info().players == 2 || game.generate(&position, Stage::All, &mut moves)?.is_some() {
        tally.ended += 1;
        return Ok(Division { rows: Vec::new(), parts: Vec::new() });
    }
    let rows = notation::short_forms(game.info(), start, &moves).into_iter().map(|name| (name, 0)).collect();
    let enough = threads == 1 || moves.len() >= PARTS_PER_THREAD * threads;
    let mut parts = Vec::new();
    let mut replies = MoveList::new();
    for (first, played) in moves.iter().enumerate() {
        let Some(position) = play_one(game, &position, played, depth, tally) else { continue };
        let depth = depth - 1;
        if enough || depth < 2 {
            parts.push(Part { first, position, depth });
        } else if game.generate(&position, Stage::All, &mut replies)?.is_some() {
            tally.ended += 1;
        } else {
            let children = replies.iter().filter_map(|reply| play_one(game, &position, reply, depth, tally));
            parts.extend(children.map(|position| Part { first, position, depth: depth - 1 }));
        }
    }
    Ok(Division { rows, parts })
}

/// Counts a move that is played with so many plies to go; the position after it, if there is something to count there.
fn play_one<G: Game>(
    game: &G,
    position: &G::Position,
    played: MoveView<'_>,
    depth: u32,
    tally: &mut Tally<'_>,
) -> Option<G::Position> {
    let ends = played.head.outcome().is_some() && game.info().players == 2;
    tally.nodes += 1;
    tally.ended += u64::from(ends);
    (!ends || depth == 1).then(|| {
        let mut child = position.clone();
        game.play(&mut child, played);
        child
    })
}

/// Counts everything on so many threads; returns the moves of the first ply with the leaves behind each, as far as it
/// was not stopped.
fn count<G: Game>(
    game: &G,
    start: &Position,
    depth: u32,
    threads: usize,
    tally: &mut Tally<'_>,
) -> Result<Vec<(String, u64)>, RuleFault> {
    if depth == 0 {
        tally.leaves = 1;
        return Ok(Vec::new());
    }
    let Division { mut rows, parts } = divide(game, start, depth, threads, tally)?;
    let shared =
        Shared { next: AtomicUsize::new(0), leaves: AtomicU64::new(0), failed: AtomicBool::new(false) };
    let bulk = tally.bulk;
    let results = thread::scope(|scope| {
        let help = || count_parts(game, &parts, bulk, &shared, None);
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, help).ok();
        // A machine that has no more threads does with fewer.
        let helpers: Vec<_> = (1..threads).map_while(spawn).collect();
        let own = count_parts(game, &parts, bulk, &shared, Some(Progress::new()));
        let join =
            |helper: ScopedJoinHandle<'_, _>| helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        std::iter::once(own).chain(helpers.into_iter().map(join)).collect::<Result<Vec<Counted>, RuleFault>>()
    })?;
    let mut complete = vec![true; rows.len()];
    for counted in results {
        tally.leaves += counted.leaves;
        tally.nodes += counted.nodes;
        tally.ended += counted.ended;
        tally.stopped |= counted.stopped;
        for (first, leaves) in counted.rows {
            match leaves {
                Some(leaves) => rows[first].1 += leaves,
                None => complete[first] = false,
            }
        }
    }
    let left = parts.iter().skip(shared.next.load(Ordering::Relaxed));
    left.for_each(|part| complete[part.first] = false);
    let mut complete = complete.into_iter();
    rows.retain(|_| complete.next() == Some(true));
    Ok(rows)
}

/// What the threads of a count share. The parts themselves do not change, so relaxed order suffices.
struct Shared {
    next: AtomicUsize,
    leaves: AtomicU64,
    failed: AtomicBool,
}

/// What one thread counted: in all, and behind moves of the first ply; nothing behind one that it was stopped at.
#[derive(Default)]
struct Counted {
    leaves: u64,
    nodes: u64,
    ended: u64,
    stopped: bool,
    rows: Vec<(usize, Option<u64>)>,
}

fn count_parts<G: Game>(
    game: &G,
    parts: &[Part<G::Position>],
    bulk: bool,
    shared: &Shared,
    mut progress: Option<Progress>,
) -> Result<Counted, RuleFault> {
    let started = Instant::now();
    let stop = || interrupt::requested() || shared.failed.load(Ordering::Relaxed);
    let mut tally = Tally::new(bulk, &stop);
    let mut rows = Vec::new();
    while !tally.stopped {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        let Some(part) = parts.get(index) else { break };
        if let Some(progress) = &mut progress {
            progress.show(index as u64, parts.len() as u64, || {
                let leaves = shared.leaves.load(Ordering::Relaxed);
                let speed = per_second(leaves, started.elapsed().as_secs_f64()) as u64;
                format!("{} leaves, {} a second", grouped(leaves), grouped(speed))
            });
        }
        let before = tally.leaves;
        if let Err(fault) = game.perft(&part.position, part.depth, &mut tally) {
            shared.failed.store(true, Ordering::Relaxed);
            return Err(fault);
        }
        let leaves = tally.leaves - before;
        shared.leaves.fetch_add(leaves, Ordering::Relaxed);
        rows.push((part.first, (!tally.stopped).then_some(leaves)));
    }
    let Tally { leaves, nodes, ended, stopped, .. } = tally;
    Ok(Counted { leaves, nodes, ended, stopped, rows })
}
