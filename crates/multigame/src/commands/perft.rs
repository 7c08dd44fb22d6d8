//! `multigame perft`: move sequences of a given length, counted one by one.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use game::perft::Tally;
use game::{Game, MoveList, Position, RuleFault, Stage, notation};
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
        let started = Instant::now();
        let rows = count(game, &start, options.depth, &mut tally)?;
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

/// Counts everything; returns the moves of the first ply with the leaves behind each.
fn count<G: Game>(
    game: &G,
    start: &Position,
    depth: u32,
    tally: &mut Tally<'_>,
) -> Result<Vec<(String, u64)>, RuleFault> {
    let mut rows = Vec::new();
    if depth == 0 {
        tally.leaves = 1;
        return Ok(rows);
    }
    let (started, mut progress) = (Instant::now(), Progress::new());
    let (position, mut moves) = (game.pack(start), MoveList::new());
    if game.generate(&position, Stage::All, &mut moves)?.is_some() {
        tally.ended += 1;
        return Ok(rows);
    }
    let goes_on = game.info().players < 2;
    let names = notation::short_forms(game.info(), &moves);
    let total = moves.len() as u64;
    for (index, (name, played)) in names.into_iter().zip(moves.iter()).enumerate() {
        let leaves = tally.leaves;
        progress.show(index as u64, total, || {
            let speed = per_second(leaves, started.elapsed().as_secs_f64()) as u64;
            format!("{index} of {total} moves, {} leaves, {} a second", grouped(leaves), grouped(speed))
        });
        let ends = played.head.outcome().is_some() && !goes_on;
        tally.nodes += 1;
        tally.ended += u64::from(ends);
        if !ends || depth == 1 {
            let mut child = position.clone();
            game.play(&mut child, played);
            game.perft(&child, depth - 1, tally)?;
        }
        if tally.stopped {
            break;
        }
        rows.push((name, tally.leaves - leaves));
    }
    progress.clear();
    Ok(rows)
}
