//! `multigame solve GAME --suite NAME`: many positions of a puzzle, one after the other, with tables that are opened
//! once.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use game::motion::{Bounds, Motion};
use game::{Game, Position};
use search::one_player::{Budget, PieceByPiece, Verdict, Wanted, solve_motion};
use serde_json::json;

use super::instances::{Instance, instances};
use crate::cli::{Global, STRONG, Solve};
use crate::databases::{self, Tables};
use crate::numbers::{grouped, per_second};
use crate::solver::Bound;
use crate::{Exit, interrupt, suites};

/// What came of one of them.
struct Row {
    name: String,
    length: Option<usize>,
    nodes: u64,
    seconds: f64,
}

pub(super) fn run<G: Game>(
    game: &G,
    start: Position,
    options: &Solve,
    global: &Global,
    suite: &str,
    out: &mut dyn Write,
) -> Result<Exit> {
    let name = &game.info().name;
    let motion = Motion::of(game).with_context(|| {
        format!("--suite is for puzzles whose moves carry pieces, and `{name}` is none: give its positions one by one")
    })?;
    let text = suites::of_game(&options.choice.game, suite)?;
    let mut instances = instances(game, start, &motion, (suite, &text), &|_| true)?;
    if let Some(only) = &options.only {
        let wanted: Vec<&str> = only.split(',').map(str::trim).collect();
        instances.retain(|instance| wanted.contains(&instance.name.as_str()));
    }
    if instances.is_empty() {
        bail!("there is nothing to solve in suite {suite}");
    }
    let (memory, threads) = (u64::from(options.memory) << 20, databases::threads(global.threads));
    let tables = match options.bound {
        Bound::Automatic | Bound::Patterns => databases::bounds(name, &motion, memory, Some(threads))?,
        Bound::Distances => None,
        Bound::Rules | Bound::None => bail!("--suite takes --bound automatic, patterns or distances"),
    };
    let mut all = All { motion: &motion, options, global, rows: Vec::new(), out };
    let words = match &tables {
        Some((Tables::Patterns(bounds), words)) => all.solve(&instances, bounds).map(|()| words.as_str()),
        Some((Tables::Cosets(bounds), words)) => all.solve(&instances, bounds).map(|()| words.as_str()),
        None => all.solve(&instances, &PieceByPiece::new(&motion)).map(|()| "distances of single pieces"),
    }?;
    all.sum_up(name, words)?;
    Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
}

struct All<'run> {
    motion: &'run Motion,
    options: &'run Solve,
    global: &'run Global,
    rows: Vec<Row>,
    out: &'run mut dyn Write,
}

impl All<'_> {
    fn solve<B: Bounds>(&mut self, instances: &[Instance], bounds: &B) -> Result<()> {
        for instance in instances.iter().take_while(|_| !interrupt::requested()) {
            let began = Instant::now();
            let time = self.options.time.map(Duration::from_secs_f64);
            let stop = || interrupt::requested() || time.is_some_and(|time| began.elapsed() >= time);
            let limits = Budget { nodes: self.options.nodes, bytes: 0, stop: &stop };
            let found =
                solve_motion(self.motion, &instance.state, bounds, Wanted::One, &limits, &mut |_, _| {});
            let seconds = began.elapsed().as_secs_f64();
            let length = match &found.verdict {
                Verdict::Solved(lines) => Some(lines[0].len()),
                Verdict::Unsolvable => bail!("{} has no solution", instance.name),
                Verdict::Unknown => None,
            };
            if let (Some(length), Some(known)) = (length, instance.length)
                && length != known
            {
                bail!("{} was solved in {length} moves; its length is {known}", instance.name);
            }
            let name = instance.name.clone();
            self.say(Row { name, length, nodes: found.nodes, seconds }, found.bound)?;
        }
        Ok(())
    }

    fn say(&mut self, row: Row, bound: u32) -> Result<()> {
        if self.global.json {
            let value = json!({
                "name": row.name, "length": row.length, "at_least": bound, "nodes": row.nodes, "seconds": row.seconds,
            });
            writeln!(self.out, "{value}")?;
        } else {
            let length = row.length.map_or_else(|| format!(">= {bound}"), |length| length.to_string());
            writeln!(
                self.out,
                "{:<12} {length:>6} {:>18} {:>10.3} s",
                row.name,
                grouped(row.nodes),
                row.seconds
            )?;
        }
        self.out.flush()?;
        self.rows.push(row);
        Ok(())
    }

    fn sum_up(self, name: &str, words: &str) -> Result<()> {
        let nodes: u64 = self.rows.iter().map(|row| row.nodes).sum();
        let seconds: f64 = self.rows.iter().map(|row| row.seconds).sum();
        let mut times: Vec<f64> = self.rows.iter().map(|row| row.seconds).collect();
        times.sort_by(f64::total_cmp);
        let (median, worst) = times
            .get(times.len() / 2)
            .zip(times.last())
            .map_or((0.0, 0.0), |(median, worst)| (*median, *worst));
        let solved = self.rows.iter().filter(|row| row.length.is_some()).count();
        let mean = nodes / self.rows.len().max(1) as u64;
        if self.global.json {
            let value = json!({
                "game": name, "bounds": words, "positions": self.rows.len(), "solved": solved, "nodes": nodes,
                "seconds": seconds, "median_seconds": median, "worst_seconds": worst,
            });
            writeln!(self.out, "{value}")?;
            return Ok(());
        }
        let (strong, plain) = (STRONG.render(), STRONG.render_reset());
        writeln!(self.out, "{strong}{solved} of {} solved{plain} with {words}", self.rows.len())?;
        writeln!(
            self.out,
            "{} nodes, mean {}, in {seconds:.3} s ({} a second); median {median:.3} s, worst {worst:.3} s",
            grouped(nodes),
            grouped(mean),
            grouped(per_second(nodes, seconds) as u64)
        )?;
        Ok(())
    }
}
