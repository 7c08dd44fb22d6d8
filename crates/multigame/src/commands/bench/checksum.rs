//! Plain `multigame bench`: one number that changes when the behaviour of any game of the library changes.

use anyhow::Result;
use game::perft::Tally;
use game::{Game, Position};

use super::{Row, Sink};
use crate::Exit;
use crate::cli::{GameChoice, Generator};
use crate::generator::{Work, with_game};
use crate::numbers::grouped;
use crate::{interrupt, library};

/// Each game is counted one ply deeper until there are so many nodes.
const NODES_ENOUGH: u64 = 20_000;

/// Games with few moves end here.
const DEPTH_MAX: u32 = 12;

pub(super) fn run(sink: &mut Sink<'_>) -> Result<Exit> {
    let mut total = 0;
    for name in library::names() {
        if interrupt::requested() {
            return Ok(Exit::Interrupted);
        }
        let choice = GameChoice { game: name.to_owned(), position: None, generator: Generator::Jit };
        let nodes = with_game(&choice, Count)?;
        total += nodes;
        let text = format!("{name:<16} {:>12}", grouped(nodes));
        sink.row(&Row { game: name, what: "nodes", value: nodes as f64, unit: "nodes", rival: None, text })?;
    }
    let text = format!("{:<16} {:>12}", "all", grouped(total));
    sink.row(&Row { game: "all", what: "nodes", value: total as f64, unit: "nodes", rival: None, text })?;
    Ok(Exit::Success)
}

struct Count;

impl Work for Count {
    type Result = u64;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<u64> {
        let position = game.pack(&start);
        let mut nodes = 0;
        for depth in 1..=DEPTH_MAX {
            let mut tally = Tally::new(false, &interrupt::requested);
            game.perft(&position, depth, &mut tally)?;
            nodes = tally.nodes;
            if nodes > NODES_ENOUGH || tally.stopped {
                break;
            }
        }
        Ok(nodes)
    }
}
