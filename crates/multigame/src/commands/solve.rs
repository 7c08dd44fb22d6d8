//! `multigame solve`: who wins with best play, or the shortest solution of a puzzle.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::{Colour, Erased, Game, GameInfo, MoveList, Position, PropertyInfo, PropertyKind, Stage, fen};
use parallel::tds::Scheduling;
use protocol::{EngineOptions, Session};
use rustc_hash::FxHashSet;
use search::one_player::{Cost, Verdict, Wanted};
use search::{Engine, Report, Score, Settings, TimeLimit};
use serde_json::{Value, json};
use table::Replacement;

use super::search::warm_up;
use crate::Exit;
use crate::checkpoint::{Checkpoint, Spent};
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

/// Engines that can prove who wins, each with the nodes after which the next one has its turn. What one gives up the
/// other often proves: df-pn is small and fast, plain proof-number search knows more about repetitions.
const TRIES: [(Engine, Option<u64>); 4] = [
    (Engine::DfPn, Some(1_000_000)),
    (Engine::ProofNumber, Some(500_000)),
    (Engine::DfPn, None),
    (Engine::ProofNumber, None),
];

/// What the limits leave to the next engine.
struct Left {
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Left {
    /// Whether so many nodes or so much time were all there was.
    fn is_over(&self, nodes: u64, elapsed: Duration) -> bool {
        self.nodes.is_some_and(|left| nodes >= left) || self.time.is_some_and(|left| elapsed >= left)
    }
}

/// A game with no more positions than this is small: they are counted.
const POSITIONS_MAX: usize = 5_000;

/// All positions that can come up, if they are few.
fn count_positions(game: &Erased<'_>, start: &Position) -> Result<Option<usize>> {
    let mut seen = FxHashSet::from_iter([start.clone()]);
    let mut waiting = vec![start.clone()];
    let mut moves = MoveList::new();
    while let Some(plain) = waiting.pop() {
        let mut position = game.pack(&plain);
        game.generate(&position, Stage::All, &mut moves)?;
        for played in moves.iter() {
            game.play(&mut position, played);
            let next = game.unpack(&position);
            game.take_back(&mut position, played);
            if seen.insert(next.clone()) && played.head.outcome().is_none() {
                waiting.push(next);
            }
            if seen.len() > POSITIONS_MAX || interrupt::requested() {
                return Ok(None);
            }
        }
    }
    Ok(Some(seen.len()))
}

/// What a search has found out about who wins.
struct Proof {
    mover: Colour,
    /// The winner, if there is one for certain.
    winner: Option<Colour>,
    is_proven: bool,
    points: Option<i32>,
    plies: Option<i32>,
    /// Bounds for the mover where nothing is proven.
    least: Option<String>,
    most: Option<String>,
    solution: Vec<String>,
    seconds: f64,
}

impl Proof {
    fn of<G: Game>(session: &Session<'_, G>, report: &Report) -> Proof {
        let (score, mover, is_proven) = (report.score, session.position().mover(), report.proven);
        let winner = match score.cmp(&Score::DRAW) {
            _ if !is_proven => None,
            std::cmp::Ordering::Greater => Some(mover),
            std::cmp::Ordering::Less => Some(mover.opponent()),
            std::cmp::Ordering::Equal => None,
        };
        let is_known = score != Score::WON && score != Score::LOST;
        let bounds = report.bounds.filter(|_| !is_proven).unwrap_or((Score::LOST, Score::WON));
        let bound = |score: Score, unknown: Score| (score != unknown).then(|| score.to_string());
        Proof {
            mover,
            winner,
            is_proven,
            points: score.points().filter(|_| is_proven),
            plies: score.distance().filter(|_| is_known && is_proven).map(i32::abs),
            least: bound(bounds.0, Score::LOST),
            most: bound(bounds.1, Score::WON),
            solution: lines::names(session, &report.principal_variation),
            seconds: report.elapsed.as_secs_f64(),
        }
    }

    fn as_json(&self, info: &GameInfo, position: &Position, engine: Engine) -> Value {
        let value = match (self.is_proven, self.winner) {
            (false, _) => "unknown",
            (true, None) => "draw",
            (true, Some(winner)) if winner == self.mover => "win",
            (true, Some(_)) => "loss",
        };
        json!({
            "game": info.name,
            "position": fen::write(info, position),
            "engine": engine.name(),
            "mover": self.mover.to_string(),
            "value": value,
            "winner": self.winner.map(|winner| winner.to_string()),
            "points": self.points,
            "plies": self.plies,
            "proven": self.is_proven,
            "at_least": self.least,
            "at_most": self.most,
            "solution": self.solution,
        })
    }

    fn in_words(&self, report: &Report) -> String {
        match self.winner {
            Some(winner) => format!("{winner} wins with best play"),
            None if self.is_proven => "a draw with best play".to_owned(),
            None if self.least.is_some() || self.most.is_some() => {
                let least = self.least.as_ref().map(|score| format!("at least {score}"));
                let most = self.most.as_ref().map(|score| format!("at most {score}"));
                let known: Vec<String> = least.into_iter().chain(most).collect();
                format!("not solved: {} for {}", known.join(" and "), self.mover)
            }
            None if report.depth.0 > 0 => {
                format!("not solved: {} as far as depth {} shows", report.score, report.depth)
            }
            None => "not solved: give more --time or --hash".to_owned(),
        }
    }
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

    /// One engine if it was said which; otherwise those that can prove something, in turn, until one has.
    fn who_wins<G: Game>(self, game: &G, start: Position, engine: Option<Engine>) -> Result<Exit> {
        let Solve { guess, order, checkpoint, .. } = self.options;
        let is_exhaustive = engine == Some(Engine::Exhaustive);
        if !is_exhaustive && (guess.is_some() || order.is_some() || checkpoint.is_some()) {
            bail!("--guess, --order and --checkpoint are for --engine exhaustive");
        }
        let mut began = Instant::now();
        let tries: &[(Engine, Option<u64>)] = match engine {
            Some(engine) => &[(engine, None)],
            None => &TRIES,
        };
        let (mut nodes_before, mut elapsed_before) = (0, Duration::ZERO);
        for (index, (engine, nodes_max)) in tries.iter().enumerate() {
            let left = Left {
                nodes: self.options.nodes.map(|nodes| nodes.saturating_sub(nodes_before)),
                time: self.time().map(|time| time.saturating_sub(began.elapsed())),
            };
            let session = Session::new(game, start.clone(), self.engine_options(*engine))?;
            if index == 0 {
                warm_up(&session)?;
                began = Instant::now();
            }
            let (mut report, is_saved) = self.prove(&session, *engine, *nodes_max, &left)?;
            report.nodes += nodes_before;
            report.elapsed += elapsed_before;
            let is_last =
                index + 1 == tries.len() || left.is_over(report.nodes - nodes_before, began.elapsed());
            if report.proven || is_last || interrupt::requested() {
                let positions = count_positions(&Erased::new(game), &start)?;
                self.say_who_wins(&session, *engine, positions, &report)?;
                is_saved?;
                break;
            }
            (nodes_before, elapsed_before) = (report.nodes, report.elapsed);
        }
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }

    fn engine_options(&self, engine: Engine) -> EngineOptions {
        let is_exhaustive = engine == Engine::Exhaustive;
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
        let threads = self.global.threads_or_one();
        EngineOptions { settings, hash_mib, replacement, threads, ..EngineOptions::default() }
    }

    /// Searches for a proof; `nodes_max` is how long this engine may try before others have their turn.
    fn prove<G: Game>(
        &self,
        session: &Session<'_, G>,
        engine: Engine,
        nodes_max: Option<u64>,
        left: &Left,
    ) -> Result<(Report, Result<()>)> {
        let checkpoint = match &self.options.checkpoint {
            Some(path) => Some(Checkpoint::of_session(session, path, self.options.hash)?),
            None => None,
        };
        let limits = search::Limits {
            nodes: match (left.nodes, nodes_max) {
                (Some(left), Some(most)) => Some(left.min(most)),
                (left, most) => left.or(most),
            },
            time: left.time.map_or(TimeLimit::Infinite, TimeLimit::Fixed),
            ..search::Limits::default()
        };
        let task = session.task(limits, Vec::new())?;
        let control = session.control().clone();
        let _stopper = interrupt::on_request(move || control.stop());
        let mut progress = Progress::new();
        let nodes = AtomicU64::new(0);
        let mut tell = |_, news: &search::Progress<'_>| {
            nodes.store(news.nodes, Ordering::Relaxed);
            progress.show(0, 0, || {
                let (depth, score, nodes) = (news.depth, news.score, grouped(news.nodes));
                format!("{}: depth {depth}, {score}, {nodes} nodes", engine.name())
            });
        };
        let thought = match &checkpoint {
            Some(checkpoint) => checkpoint.while_working(session.table(), &nodes, || task.run(&mut tell))?,
            None => task.run(&mut tell)?,
        };
        let mut report = thought.report;
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
        Ok((report, is_saved))
    }

    fn say_who_wins<G: Game>(
        self,
        session: &Session<'_, G>,
        engine: Engine,
        positions: Option<usize>,
        report: &Report,
    ) -> Result<()> {
        let verdict = Proof::of(session, report);
        let Solver { global, out, .. } = self;
        if global.json {
            let mut row = verdict.as_json(session.info(), &session.position(), engine);
            row["positions"] = json!(positions);
            row["nodes"] = json!(report.nodes);
            row["seconds"] = json!(verdict.seconds);
            writeln!(out, "{row}")?;
            return Ok(());
        }
        let by = verdict.points.map_or(String::new(), |points| format!(" by {}", points.abs()));
        let when = verdict
            .plies
            .map_or(String::new(), |plies| format!(" in {}", counted(plies as u64, "ply", "plies")));
        let result = verdict.in_words(report);
        writeln!(out, "{}{result}{by}{when}{}", STRONG.render(), STRONG.render_reset())?;
        if !verdict.solution.is_empty() && report.proven {
            writeln!(out, "best line as far as it is known: {}", lines::joined(&verdict.solution))?;
        }
        if let Some(positions) = positions {
            let positions = counted(positions as u64, "position", "positions");
            writeln!(out, "the whole game from here has {positions}")?;
        }
        let rate = grouped(per_second(report.nodes, verdict.seconds) as u64);
        let nodes = counted(report.nodes, "node", "nodes");
        writeln!(out, "{nodes} in {:.3} s ({rate} a second)", verdict.seconds)?;
        Ok(())
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
