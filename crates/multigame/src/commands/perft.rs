//! `multigame perft`: move sequences of a given length, counted one by one.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
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
        let mut tree = Tree::new(game, options.bulk, options.depth);
        let started = Instant::now();
        let mut position = game.pack(&start);
        let rows = tree.count(&mut position, options.depth, started)?;
        let seconds = started.elapsed().as_secs_f64();
        tree.progress.clear();
        if options.divide {
            for (name, leaves) in &rows {
                match global.json {
                    true => writeln!(out, "{}", json!({ "move": name, "leaves": leaves }))?,
                    false => writeln!(out, "{name}: {}", grouped(*leaves))?,
                }
            }
        }
        let (leaves, complete) = (tree.leaves, !tree.stopped);
        let speed = per_second(leaves, seconds);
        if global.json {
            let mut row = json!({
                "game": game.info().name,
                "depth": options.depth,
                "leaves": leaves,
                "seconds": seconds,
                "leaves_per_second": speed,
                "nodes": tree.nodes,
                "bulk": options.bulk,
                "complete": complete,
            });
            if !options.bulk {
                row["ended"] = json!(tree.ended);
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
                    format!(", {} that ended the game", counted(tree.ended, "line", "lines"))
                }
            };
            writeln!(out, "{} in the tree{ended}", counted(tree.nodes, "node", "nodes"))?;
        }
        Ok(if complete { Exit::Success } else { Exit::Interrupted })
    }
}

/// The tree below a position while it is counted.
struct Tree<'game, G> {
    game: &'game G,
    bulk: bool,
    /// In a one-player game a win marks a solved position, and play goes on.
    goes_on: bool,
    /// One buffer for each ply still to go.
    lists: Vec<MoveList>,
    leaves: u64,
    /// Positions, the first one included.
    nodes: u64,
    /// Lines that came to the end of the game.
    ended: u64,
    stopped: bool,
    progress: Progress,
}

impl<'game, G: Game> Tree<'game, G> {
    fn new(game: &'game G, bulk: bool, depth: u32) -> Tree<'game, G> {
        Tree {
            game,
            bulk,
            goes_on: game.info().players < 2,
            lists: (0..=depth).map(|_| MoveList::new()).collect(),
            leaves: 0,
            nodes: 1,
            ended: 0,
            stopped: false,
            progress: Progress::new(),
        }
    }

    /// Counts everything; returns the moves of the first ply with the leaves behind each.
    fn count(
        &mut self,
        position: &mut G::Position,
        depth: u32,
        started: Instant,
    ) -> Result<Vec<(String, u64)>, RuleFault> {
        let mut rows = Vec::new();
        if depth == 0 {
            self.leaves = 1;
            return Ok(rows);
        }
        let mut moves = MoveList::new();
        if self.game.generate(position, Stage::All, &mut moves)?.is_some() {
            self.ended += 1;
            return Ok(rows);
        }
        let names = notation::short_forms(self.game.info(), &moves);
        for (index, name) in names.into_iter().enumerate() {
            let (leaves, total) = (self.leaves, moves.len() as u64);
            self.progress.show(index as u64, total, || {
                let speed = per_second(leaves, started.elapsed().as_secs_f64()) as u64;
                format!("{index} of {total} moves, {} leaves, {} a second", grouped(leaves), grouped(speed))
            });
            self.follow(position, depth, &moves, index)?;
            if self.stopped {
                break;
            }
            rows.push((name, self.leaves - leaves));
        }
        Ok(rows)
    }

    /// Plays one move and counts what is behind it.
    fn follow(
        &mut self,
        position: &mut G::Position,
        depth: u32,
        moves: &MoveList,
        index: usize,
    ) -> Result<(), RuleFault> {
        let played = moves.get(index);
        self.nodes += 1;
        let ends = played.head.outcome().is_some() && !self.goes_on;
        self.ended += u64::from(ends);
        if depth == 1 {
            self.leaves += 1;
            if !self.bulk {
                self.game.play(position, played);
                std::hint::black_box(&*position);
                self.game.take_back(position, played);
            }
            return Ok(());
        }
        if ends {
            return Ok(());
        }
        self.game.play(position, played);
        let result = self.below(position, depth - 1);
        self.game.take_back(position, played);
        result
    }

    fn below(&mut self, position: &mut G::Position, depth: u32) -> Result<(), RuleFault> {
        if interrupt::requested() {
            self.stopped = true;
            return Ok(());
        }
        let mut moves = std::mem::take(&mut self.lists[depth as usize]);
        let result = self.below_with(position, depth, &mut moves);
        self.lists[depth as usize] = moves;
        result
    }

    fn below_with(
        &mut self,
        position: &mut G::Position,
        depth: u32,
        moves: &mut MoveList,
    ) -> Result<(), RuleFault> {
        if depth == 1 && self.bulk {
            let count = self.game.count(position, moves)? as u64;
            self.leaves += count;
            self.nodes += count;
            return Ok(());
        }
        if self.game.generate(position, Stage::All, moves)?.is_some() {
            self.ended += 1;
            return Ok(());
        }
        for index in 0..moves.len() {
            self.follow(position, depth, moves, index)?;
            if self.stopped {
                break;
            }
        }
        Ok(())
    }
}
