//! `multigame solve`: who wins with best play, or the shortest solution of a puzzle.

mod winner;

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::{Game, GameInfo, Position, PropertyInfo, PropertyKind, fen};
use parallel::tds::Scheduling;
use protocol::{EngineOptions, Session};
use search::one_player::{Cost, Verdict, Wanted};
use serde_json::json;

use crate::Exit;
use crate::cli::{Global, PuzzleEngine, STRONG, Solve, SolvingEngine};
use crate::generator::Work;
use crate::judgement::with_player;
use crate::numbers::{counted, grouped, per_second};
use crate::progress::Progress;
use crate::solver::{self, Answer, Sharing, Wishes};
use crate::{cluster, databases, interrupt, lines};

pub(super) fn run(options: &Solve, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_player(&options.choice, options.judged, Solver { options, global, out })
}

struct Solver<'run> {
    options: &'run Solve,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Solver<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        if let Some(suite) = &self.options.suite {
            return super::solve_suite::run(game, start, self.options, self.global, suite, self.out);
        }
        let name = &game.info().name;
        match (game.info().players, self.options.engine) {
            // What cannot be shared out is done by the process that speaks.
            (2, _) if !cluster::speaks() => Ok(Exit::Success),
            (2, _) if self.options.divided => bail!("`{name}` is a game for two: --divided is for puzzles"),
            (2, None) => self.who_wins(game, start, None),
            (2, Some(SolvingEngine::Search(engine))) => self.who_wins(game, start, Some(engine)),
            (2, Some(SolvingEngine::Puzzle(engine))) => {
                bail!("`{name}` is a game for two: --engine {} is for puzzles", engine.name())
            }
            (1, Some(SolvingEngine::Search(_))) => {
                bail!("`{name}` is a puzzle: give --engine ida, tds or stealing")
            }
            (1, _) if self.options.checkpoint.is_some() => {
                bail!("--checkpoint is for games for two with --engine exhaustive")
            }
            (1, _) => self.shortest_solution(game, start),
            _ => bail!("`{name}` has no players: there is nothing to solve"),
        }
    }
}

impl Solver<'_> {
    fn time(&self) -> Option<Duration> {
        self.options.time.map(Duration::from_secs_f64)
    }

    /// How a puzzle is shared out, and between how many threads.
    fn sharing(&self, info: &GameInfo) -> Result<Option<Sharing>> {
        let engine = match self.options.engine {
            Some(SolvingEngine::Puzzle(engine)) => Some(engine),
            _ => None,
        };
        let (scheduling, is_wish, usual) = match (engine, self.global.threads) {
            (Some(PuzzleEngine::Shared(scheduling)), _) => (scheduling, true, databases::threads(None)),
            (None, Some(2..)) => (Scheduling::Home, false, 1),
            (None, _) if cluster::launched() => (Scheduling::Home, false, 1),
            _ => return Ok(None),
        };
        if self.options.all || self.options.cost.is_some() {
            if is_wish {
                bail!("--all and --cost are for one processor: leave --engine out to solve `{}`", info.name);
            }
            return Ok(None);
        }
        let threads = self.global.threads.map_or(usual, |threads| threads as usize);
        Ok(Some(Sharing { scheduling, threads, is_wish }))
    }

    fn wishes(&self, info: &GameInfo) -> Result<Wishes> {
        let cost = match &self.options.cost {
            None => Cost::Moves,
            Some(name) => {
                let own = |property: &&PropertyInfo| property.kind == PropertyKind::Move;
                let mut known = info.properties.iter().filter(own);
                let Some(property) = known.clone().find(|property| property.name == *name) else {
                    let names: Vec<&str> = known.by_ref().map(|property| property.name.as_str()).collect();
                    bail!("`{}` has no `move` property `{name}`; it has: {}", info.name, names.join(", "));
                };
                Cost::Property(property.slot)
            }
        };
        Ok(Wishes {
            wanted: if self.options.all { Wanted::All } else { Wanted::One },
            cost,
            bound: self.options.bound,
            time: self.time(),
            nodes: self.options.nodes,
            memory: (self.options.memory as usize) << 20,
            threads: databases::threads(self.global.threads),
            sharing: self.sharing(info)?,
            divided: self.options.divided,
            makes: true,
        })
    }

    fn shortest_solution<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let wishes = self.wishes(game.info())?;
        if wishes.sharing.is_some() {
            cluster::join()?;
        } else if !cluster::speaks() {
            return Ok(Exit::Success);
        }
        let mut progress = Progress::new();
        let began = Instant::now();
        let session = Session::new(game, start, EngineOptions { hash_mib: 1, ..EngineOptions::default() })?;
        let answer = solver::solve(game, session.record().position(), &wishes, &mut |bound, nodes| {
            let rate = per_second(nodes, began.elapsed().as_secs_f64()) as u64;
            progress.show(0, 0, || {
                format!("no solution below {bound}, {} nodes, {} a second", grouped(nodes), grouped(rate))
            });
        })?;
        progress.clear();
        self.say_solution(&session, &answer)?;
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }

    fn say_solution<G: Game>(self, session: &Session<'_, G>, answer: &Answer) -> Result<()> {
        let Solver { options, global, out } = self;
        let (found, seconds) = (&answer.found, answer.elapsed.as_secs_f64());
        let lines: Vec<Vec<String>> = match &found.verdict {
            Verdict::Solved(lines) => lines.iter().map(|line| lines::names(session, line)).collect(),
            _ => Vec::new(),
        };
        let length = lines.first().map(Vec::len);
        if global.json {
            let mut row = json!({
                "game": session.info().name,
                "position": fen::write(session.info(), &session.position()),
                "engine": answer.engine,
                "bounds": answer.bounds,
                "length": length,
                "cost": length.map(|_| found.bound),
                "solvable": match found.verdict {
                    Verdict::Solved(_) => Some(true),
                    Verdict::Unsolvable => Some(false),
                    Verdict::Unknown => None,
                },
                "at_least": found.bound,
                "solution": lines.first().cloned().unwrap_or_default(),
                "nodes": found.nodes,
                "seconds": seconds,
            });
            if options.all {
                row["solutions"] = json!(found.solutions);
                row["all"] = json!(lines);
            }
            writeln!(out, "{row}")?;
            return Ok(());
        }
        let (strong, plain) = (STRONG.render(), STRONG.render_reset());
        match (&found.verdict, length) {
            (Verdict::Solved(_), Some(0)) => writeln!(out, "{strong}solved already{plain}, in 0 moves")?,
            (Verdict::Solved(_), Some(length)) => {
                let moves = counted(length as u64, "move", "moves");
                let (cost, none) = match &options.cost {
                    Some(name) => (format!(" with {} {name}", found.bound), "none has fewer"),
                    None => (String::new(), "none is shorter"),
                };
                write!(out, "{strong}solved in {moves}{cost}{plain}, {none}")?;
                match options.all {
                    true => writeln!(out, ": {}", counted(found.solutions, "solution", "solutions"))?,
                    false => write!(out, ": ")?,
                }
                for line in &lines {
                    writeln!(out, "{}", line.join(" "))?;
                }
            }
            (Verdict::Unsolvable, _) => writeln!(out, "{strong}there is no solution{plain}")?,
            _ => writeln!(out, "not solved: a solution takes at least {} moves", found.bound)?,
        }
        let by =
            if answer.bounds.is_empty() { String::new() } else { format!("; bounds: {}", answer.bounds) };
        writeln!(
            out,
            "{} in {seconds:.3} s ({} a second){by}",
            counted(found.nodes, "node", "nodes"),
            grouped(per_second(found.nodes, seconds) as u64)
        )?;
        Ok(())
    }
}
