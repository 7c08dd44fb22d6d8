//! A table's view of a game: the one place that knows `protocol::Session`. Everything above works with [`Seat`], which
//! hides what generates the moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use collection::Collection;
use game::record::{Record, Standing};
use game::{Colour, Game, GameInfo, MoveView, Outcome, Position, fen, text};
use parallel::Method;
use parallel::stealing::Policy;
use protocol::pgn::{self, Pgn};
use protocol::{EngineOptions, Session, coordinates, dialect, san};
use search::{Control, Depth, Limits, TimeLimit};
use serde::Serialize;
use serde_json::Value;

use crate::gesture::{Gesture, gesture, shorten};
use crate::host::Host;
use crate::jobs::{self, Job};
use crate::message::{MoveChoice, SaveFormat};
use crate::processors::{self, Processors};
use crate::tree;

/// A table at which no search runs, and one at which a search runs.
const IDLE_MIB: usize = 1;
const SEARCH_MIB: usize = 32;
/// More legal moves than this are not sent.
const MOVES_SENT_MAX: usize = 4_000;

/// A position as front ends get it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct View {
    /// Fields and properties in slot order.
    pub(crate) slots: Vec<i32>,
    pub(crate) mover: &'static str,
    pub(crate) legal: Vec<Choice>,
    /// How many legal moves there are, sent or not.
    pub(crate) choices: usize,
    pub(crate) over: Option<Ending>,
    /// The position in one line.
    pub(crate) position: String,
}

/// A legal move and how it is chosen.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Choice {
    pub(crate) name: String,
    pub(crate) path: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) piece: Option<u8>,
    /// Properties of the position that it sets, where nothing else tells moves apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sets: Vec<[i32; 2]>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Ending {
    /// `white`, `black`, or neither.
    pub(crate) winner: Option<&'static str>,
    /// In words.
    pub(crate) words: String,
}

/// A move that was made.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Played {
    /// As players write it.
    pub(crate) name: String,
    /// As programs write it.
    pub(crate) text: String,
    /// Slot, old value, new value.
    pub(crate) changes: Vec<[i32; 3]>,
    /// How it is pointed at.
    pub(crate) path: Vec<u16>,
}

/// How long a search may think, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) time: Option<Duration>,
    pub(crate) clock: Option<(Duration, Duration)>,
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) lines: usize,
    pub(crate) threads: usize,
    pub(crate) method: Method,
}

/// What stops a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    flag: Arc<AtomicBool>,
    control: Option<Arc<Control>>,
}

impl Stop {
    pub(crate) fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        if let Some(control) = &self.control {
            control.stop();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// A game at a table.
pub(crate) trait Seat<'env>: Send {
    fn info(&self) -> &GameInfo;
    fn begin(&mut self, start: Position) -> Result<(), String>;
    fn read_position(&self, text: &str) -> Result<Position, String>;
    fn replay(&mut self, text: &str) -> Result<Vec<Played>, String>;
    fn find(&self, wanted: &MoveChoice) -> Result<usize, String>;
    fn play(&mut self, index: usize) -> Result<Played, String>;
    fn take_back(&mut self) -> Result<bool, String>;
    fn view(&self) -> View;
    /// How the game ended, if it did.
    fn view_over(&self) -> Option<Ending>;
    fn mover(&self) -> &'static str;
    fn start_text(&self) -> String;
    fn save(&self, format: SaveFormat, tags: &[(&str, &str)]) -> Result<String, String>;
    /// A search of the present position; with a ply, of the position after so many moves, beside the game.
    fn think(&mut self, effort: Effort, ply: Option<usize>) -> Result<(Job<'env>, Stop), String>;
    fn review(&self, nodes: u64) -> (Job<'env>, Stop);
    fn perft(&self, depth: u32, most: Duration) -> (Job<'env>, Stop);
    fn random_games(&self, games: u32, most: Duration) -> (Job<'env>, Stop);
    fn solve(&self, most: Duration) -> (Job<'env>, Stop);
    /// Reads other people's games into the database.
    fn import(&self, text: String, key: String, collection: Arc<Collection>) -> (Job<'env>, Stop);
    /// The signature of the position after so many moves.
    fn signature(&self, ply: usize) -> Result<u64, String>;
    /// The tree of the last search, or so many plies of what its table remembers.
    fn tree(&mut self, depth: usize) -> Result<Value, String>;
    /// What the threads of the last search did.
    fn processors(&mut self) -> Value;
    /// A search on virtual processors.
    fn simulate(&self, processors: usize, depth: u32, policy: Policy) -> Result<(Job<'env>, Stop), String>;
    /// Gives back memory that only searches need.
    fn rest(&mut self);
}

/// A game with its session, and another one for positions beside the game.
pub(crate) struct Seated<'env, G: Game, H> {
    host: Arc<H>,
    session: Session<'env, G>,
    aside: Option<Session<'env, G>>,
    /// The last search, and where it began.
    processors: Option<(Processors, G::Position)>,
}

impl<'env, G: Game, H: Host> Seated<'env, G, H> {
    pub(crate) fn new(host: Arc<H>, game: &'env G, start: Position) -> Result<Seated<'env, G, H>, String> {
        let options = EngineOptions { hash_mib: IDLE_MIB, ..EngineOptions::default() };
        let session = Session::new(game, start, options).map_err(words)?;
        Ok(Seated { host, session, aside: None, processors: None })
    }

    fn record(&self) -> &Record<'env, G> {
        self.session.record()
    }

    fn describe(&self, position: &G::Position, played: MoveView<'_>) -> Result<Played, String> {
        let (game, info, legal) = (self.session.game(), self.session.info(), self.record().legal());
        let plain = game.unpack(position);
        let name = san::write(game, self.session.knowledge(), position, legal, played).map_err(words)?;
        let stored = info.stored_slots();
        let changes = played.changes.iter().filter(|change| change.slot() < stored);
        Ok(Played {
            name,
            text: coordinates::name(info, &plain, legal, played),
            changes: changes.map(|change| [change.slot() as i32, change.old(), change.new()]).collect(),
            path: gesture(info, played).path,
        })
    }

    fn choices(&self) -> Vec<Choice> {
        let (info, legal) = (self.session.info(), self.record().legal());
        if legal.is_empty() {
            return Vec::new();
        }
        let position = self.session.position();
        let names = coordinates::names(info, &position, legal);
        let stored = info.geometry.fields()..info.stored_slots();
        let mut gestures: Vec<Gesture> =
            legal.iter().take(MOVES_SENT_MAX).map(|played| gesture(info, played)).collect();
        shorten(&mut gestures);
        let mut choices: Vec<Choice> = legal
            .iter()
            .zip(names)
            .zip(gestures)
            .map(|((played, name), said)| {
                let sets = played.changes.iter().filter(|change| stored.contains(&change.slot()));
                let sets = sets.map(|change| [change.slot() as i32, change.new()]).collect();
                Choice { name, path: said.path, piece: said.piece, sets }
            })
            .collect();
        let mut users = std::collections::HashMap::new();
        for choice in &choices {
            *users.entry((choice.path.clone(), choice.piece)).or_insert(0_usize) += 1;
        }
        for choice in &mut choices {
            if users.get(&(choice.path.clone(), choice.piece)) == Some(&1) {
                choice.sets.clear();
            }
        }
        choices
    }
}

pub(crate) fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(crate) fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

fn ending<G: Game>(record: &Record<'_, G>) -> Option<Ending> {
    let Standing::Finished(outcome, viewer) = record.standing() else { return None };
    let moves = record.moves().len();
    if record.game().info().players < 2 {
        let words = match outcome {
            Outcome::Win => format!("Solved in {moves} moves."),
            Outcome::Score(score) => format!("Finished with a score of {score}."),
            Outcome::Draw | Outcome::Loss => "There is no way on.".to_owned(),
        };
        let winner = (outcome == Outcome::Win).then_some("white");
        return Some(Ending { winner, words });
    }
    let by = match outcome {
        Outcome::Score(score) if score != 0 => format!(" by {}", score.abs()),
        _ => String::new(),
    };
    let winner = outcome.winner(viewer).map(colour_name);
    let words = match winner {
        Some("white") => format!("White wins{by}."),
        Some(_) => format!("Black wins{by}."),
        None => "The game is drawn.".to_owned(),
    };
    Some(Ending { winner, words })
}

impl<'env, G: Game, H: Host> Seat<'env> for Seated<'env, G, H> {
    fn info(&self) -> &GameInfo {
        self.session.info()
    }

    fn begin(&mut self, start: Position) -> Result<(), String> {
        self.session.begin(start).map_err(words)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        dialect::read_position(self.session.info(), text).map_err(words)
    }

    fn replay(&mut self, text: &str) -> Result<Vec<Played>, String> {
        let game = self.session.game();
        let pgn = if pgn::is_meant(text) {
            pgn::read(text).into_iter().next().ok_or("there is no game in this text")?
        } else {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            let (positions, moves): (Vec<&str>, Vec<&str>) =
                lines.partition(|line| line.starts_with("position "));
            let tags = positions.first().map(|line| ("FEN".to_owned(), line["position ".len()..].to_owned()));
            let moves = moves.into_iter().map(str::to_owned).collect();
            Pgn { tags: tags.into_iter().collect(), moves, result: String::new() }
        };
        let record = pgn.replay(game).map_err(words)?;
        self.session.begin(record.start().clone()).map_err(words)?;
        let mut all = Vec::new();
        for played in record.moves() {
            all.push(self.describe(self.record().position(), played.view())?);
            self.session.play(played).map_err(words)?;
        }
        Ok(all)
    }

    fn find(&self, wanted: &MoveChoice) -> Result<usize, String> {
        let legal = self.record().legal();
        match wanted {
            MoveChoice::Number(index) if *index < legal.len() => Ok(*index),
            MoveChoice::Number(index) => Err(format!("there is no move {index}: there are {}", legal.len())),
            MoveChoice::Name(name) => {
                let (info, position) = (self.session.info(), self.session.position());
                coordinates::find(info, &position, legal, name)
                    .or_else(|_| san::find(info, &position, legal, name))
                    .map_err(words)
            }
        }
    }

    fn play(&mut self, index: usize) -> Result<Played, String> {
        let played = self.record().legal().get(index).to_move();
        let described = self.describe(self.record().position(), played.view())?;
        self.session.play(&played).map_err(words)?;
        Ok(described)
    }

    fn take_back(&mut self) -> Result<bool, String> {
        self.session.take_back().map_err(words)
    }

    fn view(&self) -> View {
        let position = self.session.position();
        View {
            slots: position.slots().to_vec(),
            mover: colour_name(position.mover()),
            legal: self.choices(),
            choices: self.record().legal().len(),
            over: ending(self.record()),
            position: fen::write(self.session.info(), &position),
        }
    }

    fn view_over(&self) -> Option<Ending> {
        ending(self.record())
    }

    fn mover(&self) -> &'static str {
        colour_name(self.session.game().mover(self.record().position()))
    }

    fn start_text(&self) -> String {
        fen::write(self.session.info(), self.record().start())
    }

    fn save(&self, format: SaveFormat, tags: &[(&str, &str)]) -> Result<String, String> {
        let info = self.session.info();
        match format {
            SaveFormat::Pgn => {
                let pgn = Pgn::of_record(self.record(), self.session.knowledge(), tags).map_err(words)?;
                Ok(pgn.to_string())
            }
            SaveFormat::Position => Ok(text::write(info, &self.session.position())),
            SaveFormat::Text => {
                let mut lines = vec![format!("# {}", info.name), format!("position {}", self.start_text())];
                let mut replay =
                    Record::new(self.session.game(), self.record().start().clone()).map_err(words)?;
                for played in self.record().moves() {
                    let position = self.session.game().unpack(replay.position());
                    lines.push(coordinates::name(info, &position, replay.legal(), played.view()));
                    replay.play(played).map_err(words)?;
                }
                Ok(lines.join("\n") + "\n")
            }
        }
    }

    fn think(&mut self, effort: Effort, ply: Option<usize>) -> Result<(Job<'env>, Stop), String> {
        let options = EngineOptions {
            hash_mib: SEARCH_MIB,
            multi_pv: effort.lines.max(1),
            threads: effort.threads.max(1),
            method: effort.method,
            habits: self.host.habits(),
            ..EngineOptions::default()
        };
        if let Some(ply) = ply {
            let moves: Vec<_> = self.record().moves().iter().take(ply).cloned().collect();
            let start = self.record().start().clone();
            match &mut self.aside {
                Some(aside) => aside.begin(start).map_err(words)?,
                None => {
                    self.aside =
                        Some(Session::new(self.session.game(), start, options.clone()).map_err(words)?)
                }
            }
            if let Some(aside) = &mut self.aside {
                moves.iter().try_for_each(|played| aside.play(played)).map_err(words)?;
            }
        }
        let session = match &mut self.aside {
            Some(aside) if ply.is_some() => aside,
            _ => &mut self.session,
        };
        session.set_options(options);
        let time = match (effort.clock, effort.time) {
            (Some((remaining, increment)), _) => TimeLimit::Clock { remaining, increment, moves_to_go: None },
            (None, Some(time)) => TimeLimit::Fixed(time),
            (None, None) => TimeLimit::Infinite,
        };
        let depth = effort.depth.map(|depth| Depth(depth.min(200) as i32));
        let limits = Limits { depth, nodes: effort.nodes, time, ..Limits::default() };
        let task = session.task(limits, Vec::new()).map_err(words)?;
        let (processors, timeline) = Processors::watching(effort.threads.max(1), task.now());
        let task = task.watched(timeline);
        let stop = Stop { flag: Arc::default(), control: Some(Arc::clone(session.control())) };
        let record = session.record();
        let root = jobs::Root {
            game: session.game(),
            position: record.position().clone(),
            knowledge: session.knowledge().clone(),
        };
        self.processors = Some((processors, root.position.clone()));
        Ok((jobs::think(task, root, stop.clone()), stop))
    }

    fn review(&self, nodes: u64) -> (Job<'env>, Stop) {
        let stop = Stop::default();
        let (start, moves) = (self.record().start().clone(), self.record().moves().to_vec());
        (jobs::review(self.session.game(), start, moves, nodes, stop.clone()), stop)
    }

    fn perft(&self, depth: u32, most: Duration) -> (Job<'env>, Stop) {
        let stop = Stop::default();
        (jobs::perft(self.session.game(), self.record().position().clone(), depth, most, stop.clone()), stop)
    }

    fn random_games(&self, games: u32, most: Duration) -> (Job<'env>, Stop) {
        let stop = Stop::default();
        let start = self.record().start().clone();
        (jobs::random_games(self.session.game(), start, games, most, stop.clone()), stop)
    }

    fn solve(&self, most: Duration) -> (Job<'env>, Stop) {
        let stop = Stop::default();
        let position = self.record().position().clone();
        (jobs::solve(Arc::clone(&self.host), self.session.game(), position, most, stop.clone()), stop)
    }

    fn import(&self, text: String, key: String, collection: Arc<Collection>) -> (Job<'env>, Stop) {
        let stop = Stop::default();
        let knowledge = self.session.knowledge().clone();
        (jobs::import(self.session.game(), knowledge, text, key, collection, stop.clone()), stop)
    }

    fn signature(&self, ply: usize) -> Result<u64, String> {
        let game = self.session.game();
        let mut position = game.pack(self.record().start());
        self.record().moves().iter().take(ply).for_each(|played| game.play(&mut position, played.view()));
        Ok(game.signature(&position).0)
    }

    fn tree(&mut self, depth: usize) -> Result<Value, String> {
        let session = self.aside.as_ref().unwrap_or(&self.session);
        if let Some((processors, root)) = &mut self.processors
            && let Some(seen) = processors.tree(session.game(), root).map_err(words)?
        {
            return Ok(tree::told(&seen));
        }
        tree::remembered(session, depth).map_err(words)
    }

    fn processors(&mut self) -> Value {
        self.processors.as_mut().map_or(Value::Null, |(processors, _)| processors.look())
    }

    fn simulate(&self, processors: usize, depth: u32, policy: Policy) -> Result<(Job<'env>, Stop), String> {
        if self.session.info().players != 2 {
            return Err("virtual processors search games for two".to_owned());
        }
        let (game, knowledge) = (self.session.game(), self.session.knowledge().clone());
        let root = search::Root::of_record(self.record());
        let stop = Stop::default();
        Ok((processors::simulate(game, root, knowledge, (processors, depth, policy), stop.clone()), stop))
    }

    fn rest(&mut self) {
        self.aside = None;
        self.processors = None;
        let options = EngineOptions { hash_mib: IDLE_MIB, ..self.session.options().clone() };
        self.session.set_options(options);
    }
}
