//! What takes time: searches, counts, games at random, solutions. A job owns or shares all it needs and runs on
//! another thread; it tells of its progress and can be stopped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use collection::Collection;
use game::perft::Tally;
use game::record::Standing;
use game::{Advance, Colour, Game, Move, MoveList, Outcome, Position, RuleFault, Stage};
use protocol::pgn;
use protocol::{EngineOptions, Session, Task, san};
use search::{Knowledge, Limits, Score};
use serde_json::{Value, json};

use crate::gesture::gesture;
use crate::host::Host;
use crate::seat::{Stop, words};

/// Work for another thread. It is handed what hears of its progress.
pub(crate) type Job<'env> = Box<dyn FnOnce(&mut dyn FnMut(Value)) -> Result<Value, String> + Send + 'env>;

/// Moves of a line that are told.
const LINE_MOVES_MAX: usize = 12;
/// A random game that is longer than this is given up.
const RANDOM_PLIES_MAX: usize = 2_000;

/// Where a search begins.
pub(crate) struct Root<'env, G: Game> {
    pub(crate) game: &'env G,
    pub(crate) position: G::Position,
    pub(crate) knowledge: Knowledge,
}

impl<G: Game> Root<'_, G> {
    /// The names of a line, and how its first move is pointed at.
    fn line(&self, moves: &[Move]) -> Result<(Vec<String>, Vec<u16>), RuleFault> {
        let (mut position, mut legal, mut names) = (self.position.clone(), MoveList::new(), Vec::new());
        for played in moves.iter().take(LINE_MOVES_MAX) {
            self.game.generate(&position, Stage::All, &mut legal)?;
            names.push(san::write(self.game, &self.knowledge, &position, &legal, played.view())?);
            self.game.play(&mut position, played.view());
        }
        let path = moves.first().map_or(Vec::new(), |first| gesture(self.game.info(), first.view()).path);
        Ok((names, path))
    }

    fn score(&self, score: Score) -> Value {
        let white = self.game.mover(&self.position) == Colour::White;
        score_for_white(if white { score } else { -score })
    }
}

/// A score as front ends get it, seen from white.
pub(crate) fn score_for_white(score: Score) -> Value {
    json!({
        "value": score.value().clamp(-100_000, 100_000),
        "certain": score.is_decided(),
        "in": score.distance(),
        "words": score.to_string(),
    })
}

/// A search; its news are lines, its result is the number of the best move.
pub(crate) fn think<'env, G: Game>(task: Task<'env, G>, root: Root<'env, G>, stop: Stop) -> Job<'env> {
    Box::new(move |heard| {
        if stop.is_stopped() {
            return Ok(Value::Null);
        }
        let thought = task.run(&mut |rank, news| {
            if let Ok((names, path)) = root.line(news.principal_variation) {
                heard(json!({
                    "rank": rank,
                    "depth": news.depth.0,
                    "score": root.score(news.score),
                    "line": names,
                    "path": path,
                    "nodes": news.nodes,
                    "milliseconds": news.elapsed.as_millis() as u64,
                }));
            }
        });
        let thought = thought.map_err(words)?;
        let mut legal = MoveList::new();
        root.game.generate(&root.position, Stage::All, &mut legal).map_err(words)?;
        let number = |played: &Move| legal.iter().position(|own| own.same_as(played.view()));
        let first = thought.lines.first().map(|line| line.moves.as_slice()).unwrap_or_default();
        let (names, path) = root.line(first).map_err(words)?;
        Ok(json!({
            "best": thought.report.best.as_ref().and_then(number),
            "line": names,
            "path": path,
            "score": root.score(thought.report.score),
            "proven": thought.report.proven,
            "depth": thought.report.depth.0,
            "nodes": thought.report.nodes,
        }))
    })
}

/// Judges every position of a game, the last one first: what is found out there helps with those before.
pub(crate) fn review<'env, G: Game>(
    game: &'env G,
    start: Position,
    moves: Vec<Move>,
    nodes: u64,
    stop: Stop,
) -> Job<'env> {
    Box::new(move |heard| {
        let options = EngineOptions { hash_mib: 16, ..EngineOptions::default() };
        let mut session = Session::new(game, start, options).map_err(words)?;
        moves.iter().try_for_each(|played| session.play(played)).map_err(words)?;
        let mut judged = 0;
        loop {
            if stop.is_stopped() {
                break;
            }
            let ply = session.record().moves().len();
            let root = Root {
                game,
                position: session.record().position().clone(),
                knowledge: session.knowledge().clone(),
            };
            let (score, line, path) = match session.record().standing() {
                Standing::Finished(outcome, viewer) => {
                    let seen =
                        if viewer == game.mover(&root.position) { outcome } else { outcome.reversed() };
                    (Score::of_outcome(seen, 0), Vec::new(), Vec::new())
                }
                Standing::Open => {
                    let task = session.task(Limits::to_nodes(nodes), Vec::new()).map_err(words)?;
                    let thought = task.run(&mut |_, _| {}).map_err(words)?;
                    let moves = thought.lines.first().map(|line| line.moves.clone()).unwrap_or_default();
                    let (line, path) = root.line(&moves).map_err(words)?;
                    (thought.report.score, line, path)
                }
            };
            heard(json!({ "ply": ply, "score": root.score(score), "line": line, "path": path }));
            judged += 1;
            if !session.take_back().map_err(words)? {
                break;
            }
        }
        Ok(json!({ "judged": judged }))
    })
}

/// Counts lines of play of each length up to a depth.
pub(crate) fn perft<'env, G: Game>(
    game: &'env G,
    position: G::Position,
    depth: u32,
    most: Duration,
    stop: Stop,
) -> Job<'env> {
    Box::new(move |heard| {
        let began = Instant::now();
        let halt = || stop.is_stopped() || began.elapsed() > most;
        let mut counts = Vec::new();
        for depth in 1..=depth {
            let mut tally = Tally::new(false, &halt);
            game.perft(&position, depth, &mut tally).map_err(words)?;
            if tally.stopped {
                break;
            }
            let row = json!({ "depth": depth, "leaves": tally.leaves, "ended": tally.ended });
            heard(row.clone());
            counts.push(row);
        }
        Ok(json!({ "counts": counts, "seconds": began.elapsed().as_secs_f64() }))
    })
}

/// Plays games at random: how long they are, who wins, how many moves there are to choose from.
pub(crate) fn random_games<'env, G: Game>(
    game: &'env G,
    start: Position,
    games: u32,
    most: Duration,
    stop: Stop,
) -> Job<'env> {
    Box::new(move |_| {
        let began = Instant::now();
        let (mut random, mut scratch) = (1_u64, MoveList::new());
        let (mut wins, mut draws, mut plies, mut choices, mut played, mut unfinished) =
            ([0_u64; 2], 0, 0, 0, 0, 0);
        let (mut shortest, mut longest) = (usize::MAX, 0);
        while played < games && !stop.is_stopped() && began.elapsed() < most {
            let mut position = game.pack(&start);
            let mut length = 0;
            let result = loop {
                let mover = game.mover(&position);
                let mut choose = |count: usize| {
                    choices += count;
                    random = protocol::chance::next(random);
                    (random % count.max(1) as u64) as usize
                };
                match game.advance(&mut position, &mut scratch, &mut choose).map_err(words)? {
                    Advance::Over(outcome) => break Some((outcome, mover)),
                    Advance::Moved { outcome, .. } => {
                        length += 1;
                        if let Some(outcome) = outcome {
                            break Some((outcome, mover));
                        }
                    }
                }
                if length >= RANDOM_PLIES_MAX || (length % 64 == 0 && began.elapsed() > most) {
                    break None;
                }
            };
            played += 1;
            plies += length;
            (shortest, longest) = (shortest.min(length), longest.max(length));
            match result.map(|(outcome, mover): (Outcome, Colour)| outcome.winner(mover)) {
                Some(Some(winner)) => wins[winner.index()] += 1,
                Some(None) => draws += 1,
                None => unfinished += 1,
            }
        }
        let average = |sum: usize, count: usize| if count == 0 { 0.0 } else { sum as f64 / count as f64 };
        Ok(json!({
            "games": played,
            "white": wins[0],
            "black": wins[1],
            "draws": draws,
            "unfinished": unfinished,
            "length": average(plies, played as usize),
            "shortest": if played == 0 { 0 } else { shortest },
            "longest": longest,
            "choices": average(choices, plies),
            "seconds": began.elapsed().as_secs_f64(),
        }))
    })
}

/// The shortest solution of a puzzle.
pub(crate) fn solve<'env, G: Game, H: Host>(
    host: Arc<H>,
    game: &'env G,
    position: G::Position,
    most: Duration,
    stop: Stop,
) -> Job<'env> {
    Box::new(move |_| {
        let question = Arc::new({
            let stop = stop.clone();
            move || stop.is_stopped()
        });
        let found = game::stopping::unless(question, || host.solve(game, &position, most));
        if stop.is_stopped() {
            return Ok(Value::Null);
        }
        let found = found.map_err(words)?;
        let (mut here, mut legal, mut numbers) = (position, MoveList::new(), Vec::new());
        for played in found.moves.iter().flatten() {
            game.generate(&here, Stage::All, &mut legal).map_err(words)?;
            numbers.push(legal.iter().position(|own| own.same_as(played.view())));
            game.play(&mut here, played.view());
        }
        Ok(json!({
            "solved": found.moves.is_some(),
            "moves": numbers,
            "proven": found.proven,
            "nodes": found.nodes,
        }))
    })
}

/// Replays other people's games and adds them to the collection, some at a time.
pub(crate) fn import<'env, G: Game>(
    game: &'env G,
    knowledge: Knowledge,
    text: String,
    key: String,
    collection: Arc<Collection>,
    stop: Stop,
) -> Job<'env> {
    Box::new(move |heard| {
        let games = pgn::read(&text);
        let added = collection::add(&collection, &key, (game, &knowledge), &games, &mut |added| {
            heard(json!({ "read": added.read, "games": games.len() }));
            !stop.is_stopped()
        });
        let added = added.map_err(words)?;
        Ok(json!({ "added": added.new, "wrong": added.wrong }))
    })
}
