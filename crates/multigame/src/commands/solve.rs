//! `multigame solve`: who wins with best play, or the shortest solution of a puzzle.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::{Colour, Game, GameInfo, Position, PropertyInfo, PropertyKind, fen};
use protocol::{EngineOptions, Session};
use search::one_player::{Cost, Verdict, Wanted};
use search::{Engine, Report, Score, Settings, TimeLimit};
use serde_json::json;
use table::Replacement;

use crate::Exit;
use crate::checkpoint::{Checkpoint, Spent, Subject};
use crate::cli::{Global, STRONG, Solve};
use crate::generator::Work;
use crate::judgement::with_fast_player;
use crate::numbers::{counted, grouped, per_second};
use crate::progress::Progress;
use crate::solver::{self, Answer, Wishes};
use crate::{databases, interrupt, lines};

pub(super) fn run(options: &Solve, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_fast_player(&options.choice, options.judged.evaluation, Solver { options, global, out })
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
        match game.info().players {
            2 => self.who_wins(game, start),
            1 if self.options.engine.is_some() => {
                bail!("`{}` is a puzzle: --engine is for games for two", game.info().name)
            }
            1 if self.options.checkpoint.is_some() => {
                bail!("--checkpoint is for games for two with --engine exhaustive")
            }
            1 => self.shortest_solution(game, start),
            _ => bail!("nobody plays `{}`: there is nothing to solve", game.info().name),
        }
    }
}

impl Solver<'_> {
    fn time(&self) -> Option<Duration> {
        self.options.time.map(Duration::from_secs_f64)
    }

    fn who_wins<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let engine = self.options.engine.unwrap_or(Engine::DfPn);
        let is_exhaustive = engine == Engine::Exhaustive;
        let Solve { guess, order, checkpoint, .. } = self.options;
        if !is_exhaustive && (guess.is_some() || order.is_some() || checkpoint.is_some()) {
            bail!("--guess, --order and --checkpoint are for --engine exhaustive");
        }
        let full_width = Engine::FULL_WIDTH.contains(&engine);
        let mut settings = Settings::new(engine);
        if full_width {
            settings = settings.exact();
        }
        let bytes = (self.options.hash as usize) << 20;
        settings.proof.table_bytes = bytes;
        settings.proof.tree_nodes_max = bytes / 64;
        settings.proof.guess = self.options.guess;
        settings.proof.order = self.options.order.unwrap_or_default();
        settings.seed = self.global.seed.unwrap_or(settings.seed);
        // Proof searches have tables of their own.
        let hash_mib = if full_width || is_exhaustive { self.options.hash as usize } else { 1 };
        let replacement = if is_exhaustive { Replacement::Size } else { Replacement::default() };
        let engine_options = EngineOptions { settings, hash_mib, replacement, ..EngineOptions::default() };
        let session = Session::new(game, start, engine_options)?;
        let mut checkpoint = match checkpoint {
            Some(path) => Some(self.open_checkpoint(&session, path)?),
            None => None,
        };
        let limits = search::Limits {
            nodes: self.options.nodes,
            time: self.time().map_or(TimeLimit::Infinite, TimeLimit::Fixed),
            ..search::Limits::default()
        };
        let task = session.task(limits, Vec::new())?;
        let control = session.control().clone();
        let _stopper = interrupt::on_request(move || control.stop());
        let mut progress = Progress::new();
        let mut report = task
            .run(&mut |_, news| {
                progress.show(0, 0, || {
                    format!("depth {}, {}, {} nodes", news.depth, news.score, grouped(news.nodes))
                });
                if let Some(checkpoint) = &mut checkpoint {
                    let spent = Spent { nodes: news.nodes, seconds: news.elapsed.as_secs_f64() };
                    // The search goes on; perhaps there is room the next time.
                    if let Err(error) = checkpoint.save_now_and_then(session.table(), spent) {
                        progress.clear();
                        eprintln!("warning: {}", crate::in_words(&error));
                    }
                }
            })?
            .report;
        progress.clear();
        // Whatever becomes of the words, the work is saved first.
        let mut is_saved = Ok(());
        if let Some(checkpoint) = &checkpoint {
            let spent = Spent { nodes: report.nodes, seconds: report.elapsed.as_secs_f64() };
            if report.proven {
                checkpoint.remove();
            } else {
                is_saved = checkpoint.save(session.table(), spent);
            }
            let before = checkpoint.before();
            report.nodes += before.nodes;
            report.elapsed += Duration::from_secs_f64(before.seconds);
        }
        self.say_who_wins(&session, &report)?;
        is_saved?;
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }

    /// The file to save to, after what it holds is in the table.
    fn open_checkpoint<G: Game>(&self, session: &Session<'_, G>, path: &Path) -> Result<Checkpoint> {
        let subject = Subject {
            game: session.info().name.clone(),
            rules: protocol::book::fingerprint(session.game())?,
            position: fen::write(session.info(), &session.position()),
            hash_mib: self.options.hash,
        };
        let checkpoint = Checkpoint::open(path, subject, session.table())?;
        let nodes = checkpoint.before().nodes;
        if nodes > 0 {
            eprintln!("going on from {}: {} so far", path.display(), counted(nodes, "node", "nodes"));
        }
        Ok(checkpoint)
    }

    fn say_who_wins<G: Game>(self, session: &Session<'_, G>, report: &Report) -> Result<()> {
        let (score, mover) = (report.score, session.position().mover());
        let winner = match score.cmp(&Score::DRAW) {
            _ if !report.proven => None,
            std::cmp::Ordering::Greater => Some(mover),
            std::cmp::Ordering::Less => Some(mover.opponent()),
            std::cmp::Ordering::Equal => None,
        };
        let value = match (report.proven, winner) {
            (false, _) => "unknown",
            (true, None) => "draw",
            (true, Some(winner)) if winner == mover => "win",
            (true, Some(_)) => "loss",
        };
        let known = score != Score::WON && score != Score::LOST;
        let plies = score.distance().filter(|_| known && report.proven).map(i32::abs);
        let bounds = report.bounds.filter(|_| !report.proven).unwrap_or((Score::LOST, Score::WON));
        let bound = |score: Score, unknown: Score| (score != unknown).then(|| score.to_string());
        let (least, most) = (bound(bounds.0, Score::LOST), bound(bounds.1, Score::WON));
        let points = score.points().filter(|_| report.proven);
        let solution = lines::names(session, &report.principal_variation);
        let seconds = report.elapsed.as_secs_f64();
        let Solver { options, global, out } = self;
        if global.json {
            let row = json!({
                "game": session.info().name,
                "position": fen::write(session.info(), &session.position()),
                "engine": options.engine.unwrap_or(Engine::DfPn).name(),
                "mover": mover.to_string(),
                "value": value,
                "winner": winner.map(|winner| winner.to_string()),
                "points": points,
                "plies": plies,
                "proven": report.proven,
                "at_least": least,
                "at_most": most,
                "solution": solution,
                "nodes": report.nodes,
                "seconds": seconds,
            });
            writeln!(out, "{row}")?;
            return Ok(());
        }
        let result = match (value, winner) {
            ("draw", _) => "a draw with best play".to_owned(),
            (_, Some(Colour::White)) => "white wins with best play".to_owned(),
            (_, Some(Colour::Black)) => "black wins with best play".to_owned(),
            _ if least.is_some() || most.is_some() => {
                let least = least.map(|score| format!("at least {score}"));
                let most = most.map(|score| format!("at most {score}"));
                let known: Vec<String> = least.into_iter().chain(most).collect();
                format!("not solved: {} for {mover}", known.join(" and "))
            }
            _ if report.depth.0 > 0 => {
                format!("not solved: {} as far as depth {} shows", score, report.depth)
            }
            _ => "not solved: give more --time or --hash".to_owned(),
        };
        let by = points.map_or(String::new(), |points| format!(" by {}", points.abs()));
        let when =
            plies.map_or(String::new(), |plies| format!(" in {}", counted(plies as u64, "ply", "plies")));
        writeln!(out, "{}{result}{by}{when}{}", STRONG.render(), STRONG.render_reset())?;
        if !solution.is_empty() && report.proven {
            writeln!(out, "best line as far as it is known: {}", solution.join(" "))?;
        }
        writeln!(
            out,
            "{} in {seconds:.3} s ({} a second)",
            counted(report.nodes, "node", "nodes"),
            grouped(per_second(report.nodes, seconds) as u64)
        )?;
        Ok(())
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
            makes: true,
        })
    }

    fn shortest_solution<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let wishes = self.wishes(game.info())?;
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
