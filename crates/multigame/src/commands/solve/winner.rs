//! Who wins a game for two with best play: which engine has its turn, and what is said of what it found out.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use game::{Colour, Erased, Game, GameInfo, MoveList, Position, Stage, fen};
use protocol::{EngineOptions, Session};
use rustc_hash::FxHashSet;
use search::{Engine, Report, Score, Settings, TimeLimit};
use serde_json::{Value, json};
use table::Replacement;

use super::super::search::warm_up;
use super::Solver;
use crate::Exit;
use crate::checkpoint::{Checkpoint, Spent};
use crate::cli::{STRONG, Solve};
use crate::numbers::{counted, grouped, per_second};
use crate::progress::Progress;
use crate::{interrupt, lines};

/// Engines that can prove who wins, each with the nodes of its first turn. What one gives up another often proves:
/// df-pn is small and fast, exhaustive search is at home in games that end by themselves, plain proof-number search
/// knows more about repetitions. Turns cost about the same: the nodes of exhaustive search are cheap.
const TRIES: [(Engine, u64); 3] =
    [(Engine::DfPn, 100_000), (Engine::Exhaustive, 4_000_000), (Engine::ProofNumber, 50_000)];
/// Each turn of an engine has so many times the nodes of the one before. It begins anew, which costs a quarter of it.
const GROWTH: u64 = 5;
/// Memory for each node of a turn: small turns need no large tables, which take time to make.
const BYTES_PER_NODE: u64 = 64;
/// A game with no more positions than this is small: they are counted.
const POSITIONS_MAX: usize = 100_000;

/// One engine's turn; without a number of nodes it is the only engine.
#[derive(Clone, Copy)]
struct Turn {
    engine: Engine,
    nodes: Option<u64>,
}

impl Turn {
    /// The bytes of its table, of those that are allowed.
    fn table_bytes(self, most: usize) -> usize {
        let share = if self.engine == Engine::Exhaustive { 4 } else { BYTES_PER_NODE };
        let wanted = self.nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(share));
        usize::try_from(wanted).unwrap_or(usize::MAX).clamp(1 << 20, most.max(1 << 20))
    }
}

/// Engines that take turns until one of them has a proof or all have given up.
struct Turns {
    engines: Vec<(Engine, Option<u64>)>,
    next: usize,
}

impl Turns {
    fn new(only: Option<Engine>) -> Turns {
        let engines = match only {
            Some(engine) => vec![(engine, None)],
            None => TRIES.map(|(engine, nodes)| (engine, Some(nodes))).to_vec(),
        };
        Turns { engines, next: 0 }
    }

    /// Whose turn it is, if any engine is left.
    fn turn(&self) -> Option<Turn> {
        let (engine, nodes) = *self.engines.get(self.next)?;
        // Who is alone need not stop for others.
        Some(Turn { engine, nodes: nodes.filter(|_| self.engines.len() > 1) })
    }

    /// The turn is over; who stopped before its nodes were spent will not come further with more of them.
    fn end_turn(&mut self, gave_up: bool) {
        if gave_up {
            self.engines.remove(self.next);
        } else {
            let nodes = &mut self.engines[self.next].1;
            *nodes = nodes.map(|nodes| nodes.saturating_mul(GROWTH));
            self.next += 1;
        }
        if self.next >= self.engines.len() {
            self.next = 0;
        }
    }
}

/// What the limits leave to the next engine.
struct Left {
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Left {
    fn is_over(&self) -> bool {
        self.nodes == Some(0) || self.time == Some(Duration::ZERO)
    }
}

/// What a turn has led to.
struct Found {
    engine: Engine,
    report: Report,
}

impl Found {
    /// Whether it says something about the score, if it proves nothing.
    fn has_bounds(&self) -> bool {
        self.report.bounds.is_some_and(|(least, most)| least > Score::LOST || most < Score::WON)
    }

    /// The one that says more; the later one if both say as much.
    fn better(self, later: Found) -> Found {
        if later.report.proven || later.has_bounds() || !self.has_bounds() { later } else { self }
    }
}

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

impl Solver<'_> {
    /// One engine if it was said which; otherwise those that can prove something, in turn, until one has.
    pub(super) fn who_wins<G: Game>(self, game: &G, start: Position, only: Option<Engine>) -> Result<Exit> {
        let Solve { guess, order, checkpoint, .. } = self.options;
        let is_exhaustive = only == Some(Engine::Exhaustive);
        if !is_exhaustive && (guess.is_some() || order.is_some() || checkpoint.is_some()) {
            bail!("--guess, --order and --checkpoint are for --engine exhaustive");
        }
        let (mut turns, mut warm) = (Turns::new(only), Vec::new());
        let (mut nodes, mut elapsed) = (0, Duration::ZERO);
        let mut known: Option<Found> = None;
        while let Some(turn) = turns.turn() {
            let engine = turn.engine;
            let session = Session::new(game, start.clone(), self.engine_options(turn))?;
            // What an engine needs is compiled before its time counts.
            if !warm.contains(&engine) {
                warm_up(&session)?;
                warm.push(engine);
            }
            let left = self.left(nodes, elapsed);
            let (report, is_saved) = self.prove(&session, turn, &left)?;
            let gave_up = turn.nodes.is_none_or(|most| report.nodes < most);
            nodes += report.nodes;
            elapsed += report.elapsed;
            turns.end_turn(gave_up);
            let later = Found { engine, report };
            let mut found = match known.take() {
                Some(earlier) => earlier.better(later),
                None => later,
            };
            let is_last = turns.turn().is_none() || self.left(nodes, elapsed).is_over();
            if found.report.proven || is_last || interrupt::requested() {
                (found.report.nodes, found.report.elapsed) = (nodes, elapsed);
                let positions = count_positions(&Erased::new(game), &start)?;
                self.say_who_wins(&session, &found, positions)?;
                is_saved?;
                break;
            }
            known = Some(found);
        }
        Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
    }

    /// What is left after so many nodes and so much time.
    fn left(&self, nodes: u64, elapsed: Duration) -> Left {
        Left {
            nodes: self.options.nodes.map(|most| most.saturating_sub(nodes)),
            time: self.time().map(|most| most.saturating_sub(elapsed)),
        }
    }

    fn engine_options(&self, turn: Turn) -> EngineOptions {
        let engine = turn.engine;
        let is_exhaustive = engine == Engine::Exhaustive;
        let full_width = Engine::FULL_WIDTH.contains(&engine);
        let mut settings = Settings::new(engine);
        if full_width {
            settings = settings.exact();
        }
        let bytes = turn.table_bytes((self.options.hash as usize) << 20);
        settings.proof.table_bytes = bytes;
        settings.proof.tree_nodes_max = bytes / 64;
        settings.proof.guess = self.options.guess;
        settings.proof.order = self.options.order.unwrap_or_default();
        settings.seed = self.global.seed.unwrap_or(settings.seed);
        // Proof searches have tables of their own.
        let hash_mib = if full_width || is_exhaustive { bytes >> 20 } else { 1 };
        let replacement = if is_exhaustive { Replacement::Size } else { Replacement::default() };
        let threads = self.global.threads_or_one();
        EngineOptions { settings, hash_mib, replacement, threads, ..EngineOptions::default() }
    }

    /// Searches for a proof until the turn is over.
    fn prove<G: Game>(
        &self,
        session: &Session<'_, G>,
        turn: Turn,
        left: &Left,
    ) -> Result<(Report, Result<()>)> {
        let checkpoint = match &self.options.checkpoint {
            Some(path) => Some(Checkpoint::of_session(session, path, self.options.hash)?),
            None => None,
        };
        let limits = search::Limits {
            nodes: match (left.nodes, turn.nodes) {
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
                format!("{}: depth {depth}, {score}, {nodes} nodes", turn.engine.name())
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
        found: &Found,
        positions: Option<usize>,
    ) -> Result<()> {
        let Found { engine, report } = found;
        let verdict = Proof::of(session, report);
        let Solver { global, out, .. } = self;
        if global.json {
            let mut row = verdict.as_json(session.info(), &session.position(), *engine);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_take_turns_until_they_give_up() {
        let mut turns = Turns::new(None);
        let mut had = Vec::new();
        for _ in 0..4 {
            had.push(turns.turn().map(|turn| (turn.engine, turn.nodes)));
            turns.end_turn(false);
        }
        assert_eq!(had[0], Some((Engine::DfPn, Some(100_000))));
        assert_eq!(had[1], Some((Engine::Exhaustive, Some(4_000_000))));
        assert_eq!(had[3], Some((Engine::DfPn, Some(500_000))));
        turns.end_turn(true);
        assert_eq!(turns.turn().map(|turn| turn.engine), Some(Engine::ProofNumber));
        turns.end_turn(true);
        // The last one is not interrupted any more.
        assert_eq!(turns.turn().map(|turn| (turn.engine, turn.nodes)), Some((Engine::DfPn, None)));
        turns.end_turn(true);
        assert!(turns.turn().is_none());
    }

    #[test]
    fn small_turns_have_small_tables() {
        let bytes = |engine, nodes| Turn { engine, nodes }.table_bytes(256 << 20);
        assert_eq!(bytes(Engine::DfPn, Some(100_000)), 6_400_000);
        assert_eq!(bytes(Engine::Exhaustive, Some(4_000_000)), 16_000_000);
        assert_eq!(bytes(Engine::DfPn, Some(u64::MAX)), 256 << 20);
        assert_eq!(bytes(Engine::DfPn, None), 256 << 20);
    }
}
