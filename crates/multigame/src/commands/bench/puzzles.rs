//! `multigame bench puzzles`: Korf's hundred instances of the 15-puzzle. With single distances the node counts are
//! his, to the node; with pattern databases all lengths are checked.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use game::motion::{Bounds, Motion, State};
use game::{Game, Position, text};
use search::one_player::{Budget, PieceByPiece, Verdict, Wanted, solve_motion};

use super::{Row, Sink, check_count, chosen};
use crate::cli::{Bench, GameChoice, Generator};
use crate::databases::{self, Tables};
use crate::generator::{Work, with_any};
use crate::numbers::{grouped, per_second};
use crate::{Exit, interrupt, library};

/// Instances that are quick enough to be measured again and again.
const QUICK: [usize; 3] = [2, 12, 79];

/// Memory for tables.
const MEMORY: u64 = 4 << 30;

struct Instance {
    number: usize,
    length: usize,
    nodes: u64,
    tiles: String,
}

fn instances() -> Result<Vec<Instance>> {
    let text = library::suite("korf15")?;
    let instance = |line: &str| {
        let mut words = line.split_whitespace();
        let mut number = || words.next()?.parse::<u64>().ok();
        let (number, length, _, nodes) = (number()?, number()?, number()?, number()?);
        let tiles = words.collect::<Vec<_>>().join(" ");
        Some(Instance { number: number as usize, length: length as usize, nodes, tiles })
    };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| instance(line).with_context(|| format!("korf15: `{line}`"))).collect()
}

/// What can be asked for alone: the instances with single distances, by both generators, and all hundred with tables,
/// which are made if they are missing.
const PARTS: [&str; 3] = ["native:puzzle15", "puzzle15", "korf15"];

pub(super) fn run(options: &Bench, sink: &mut Sink<'_>) -> Result<Exit> {
    let parts = chosen(&PARTS, |part| *part, &options.games)?;
    let (hundred, single): (Vec<&str>, Vec<&str>) = parts.into_iter().partition(|part| **part == "korf15");
    if !single.is_empty() {
        sink.heading("15-puzzle, single distances: nodes a second")?;
    }
    for game in single {
        let choice = GameChoice { game: game.to_owned(), position: None, generator: Generator::Jit };
        let rate = with_any(&choice, Distances { rounds: options.rounds })?;
        let text = format!("{game:<16} {:>14}", grouped(rate as u64));
        sink.row(&Row { game, what: "distances", value: rate, unit: "nodes/s", rival: None, text })?;
    }
    if hundred.is_empty() {
        return Ok(Exit::Success);
    }
    sink.heading("Korf's hundred instances with pattern databases")?;
    let choice = GameChoice { game: "puzzle15".to_owned(), position: None, generator: Generator::Jit };
    let Some(all) = with_any(&choice, Hundred)? else { return Ok(Exit::Interrupted) };
    let text = format!(
        "{}: {} nodes, mean {}, in {:.3} s, the slowest {:.3} s",
        all.bounds,
        grouped(all.nodes),
        grouped(all.nodes / 100),
        all.seconds,
        all.slowest
    );
    sink.row(&Row {
        game: "puzzle15",
        what: "korf15 nodes",
        value: all.nodes as f64,
        unit: "nodes",
        rival: None,
        text,
    })?;
    let row = Row {
        game: "puzzle15",
        what: "korf15 time",
        value: all.seconds,
        unit: "s",
        rival: None,
        text: String::new(),
    };
    sink.row(&row)?;
    Ok(Exit::Success)
}

/// The nodes and seconds of one instance, which must have its length.
fn solved<B: Bounds>(motion: &Motion, state: &State, bounds: &B, instance: &Instance) -> Result<(u64, f64)> {
    let limits = Budget { nodes: None, bytes: 0, stop: &interrupt::requested };
    let began = Instant::now();
    let found = solve_motion(motion, state, bounds, Wanted::One, &limits, &mut |_, _| {});
    let seconds = began.elapsed().as_secs_f64();
    match found.verdict {
        Verdict::Solved(lines) if lines[0].len() == instance.length => Ok((found.nodes, seconds)),
        Verdict::Unknown => bail!("interrupted"),
        _ => bail!("instance {} was not solved in {} moves", instance.number, instance.length),
    }
}

struct Distances {
    rounds: u32,
}

impl Work for Distances {
    type Result = f64;

    fn run<G: Game>(self, game: &G, _: Position) -> Result<f64> {
        let motion = Motion::of(game).context("the puzzle has lost its pieces")?;
        let bounds = PieceByPiece::new(&motion);
        let mut best = 0.0_f64;
        for _ in 0..self.rounds {
            for instance in instances()?.iter().filter(|instance| QUICK.contains(&instance.number)) {
                let start = text::read(game.info(), &instance.tiles)?;
                let state = motion.state(&start).context("an instance is no position")?;
                let (nodes, seconds) = solved(&motion, &state, &bounds, instance)?;
                check_count(
                    &game.info().name,
                    &format!("instance {}", instance.number),
                    nodes,
                    instance.nodes,
                )?;
                best = best.max(per_second(nodes, seconds));
            }
        }
        Ok(best)
    }
}

struct Hundred;

struct All {
    bounds: String,
    nodes: u64,
    seconds: f64,
    slowest: f64,
}

impl Work for Hundred {
    type Result = Option<All>;

    fn run<G: Game>(self, game: &G, _: Position) -> Result<Option<All>> {
        let motion = Motion::of(game).context("the puzzle has lost its pieces")?;
        let tables = databases::bounds(&game.info().name, &motion, MEMORY, Some(databases::threads(None)))?;
        let Some((Tables::Patterns(bounds), name)) = tables else { return Ok(None) };
        let mut all = All { bounds: name, nodes: 0, seconds: 0.0, slowest: 0.0 };
        for instance in instances()? {
            let start = text::read(game.info(), &instance.tiles)?;
            let state = motion.state(&start).context("an instance is no position")?;
            let (nodes, seconds) = solved(&motion, &state, &bounds, &instance)?;
            all.nodes += nodes;
            all.seconds += seconds;
            all.slowest = all.slowest.max(seconds);
        }
        Ok(Some(all))
    }
}
