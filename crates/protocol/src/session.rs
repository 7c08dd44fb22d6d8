//! A game that is being played or looked at, with an engine beside it. UCI, the shell and the commands that search
//! all work with one [`Session`]; what an engine is to do is a [`Task`], which owns all it needs and may
//! run on another thread.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::record::{Record, Standing};
use game::text::PositionError;
use game::{Game, GameInfo, Move, MoveList, Outcome, Position, RuleFault, Stage};
use parallel::{Habits, Method};
use search::{Control, Engine, Kept, Knowledge, Limits, Root, Settings, TimeLimit};
use table::{Bucketed, Replacement, Table};

use crate::coordinates;
use crate::dialect::read_position;
use crate::strength::Level;
use crate::task::Task;

/// Enough for every part of a search to be used.
const WARM_UP_NODES: u64 = 2_000;
/// Enough for that in all but the slowest games.
const WARM_UP_TIME: Duration = Duration::from_secs(1);

/// How the engine is set.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineOptions {
    /// Which engine, and how it searches.
    pub settings: Settings,
    /// The size of the transposition table; 1 is the least.
    pub hash_mib: usize,
    /// Which of its entries make room for others.
    pub replacement: Replacement,
    /// How many best moves to find, each with its line.
    pub multi_pv: usize,
    /// How many threads search; those engines that can use one alone do so.
    pub threads: usize,
    /// How they share a search.
    pub method: Method,
    /// What was found to be good for games; it fills in what is open in the method.
    pub habits: Habits,
    /// Time that gets lost between the engine and the program that keeps the clock.
    pub move_overhead: Duration,
    /// How well the engine plays.
    pub level: Level,
    /// The rating that it shall have instead, if one was asked for.
    pub elo: Option<i32>,
}

impl EngineOptions {
    /// The level that counts, unless it is the engine at its best.
    #[must_use]
    pub fn limited_level(&self) -> Option<Level> {
        Some(self.elo.map_or(self.level, Level::from_elo)).filter(|level| !level.is_full())
    }
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            settings: Settings::new(Engine::NegaScout),
            hash_mib: 16,
            replacement: Replacement::Age,
            multi_pv: 1,
            threads: 1,
            method: Method::default(),
            habits: Habits::default(),
            move_overhead: Duration::from_millis(20),
            level: Level::FULL,
            elo: None,
        }
    }
}

/// Why a session does not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The rules went wrong.
    #[error("{0}")]
    Fault(Box<RuleFault>),
    /// The text is no position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The rules have no `setup`.
    #[error("the rules of `{0}` have no start position: give one")]
    NoStart(String),
    /// The text is no legal move.
    #[error(transparent)]
    Move(#[from] game::notation::MoveError),
    /// Engines play games of two.
    #[error("`{0}` is a game for one player: engines play games for two, `solve` is for puzzles")]
    OnePlayer(String),
}

impl From<RuleFault> for SessionError {
    fn from(fault: RuleFault) -> SessionError {
        SessionError::Fault(Box::new(fault))
    }
}

/// Game, position, its past, and an engine with its memory.
pub struct Session<'game, G: Game> {
    record: Record<'game, G>,
    options: EngineOptions,
    table: Arc<Bucketed>,
    knowledge: Arc<Knowledge>,
    /// What searches learn for the next one.
    kept: Kept,
    control: Arc<Control>,
    epoch: Instant,
    /// The engines that have searched a little already.
    warm: Vec<Engine>,
}

impl<'game, G: Game> Session<'game, G> {
    /// A game that begins here. Learns what there is to know of it: about a thousand move generations.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn new(
        game: &'game G,
        start: Position,
        options: EngineOptions,
    ) -> Result<Session<'game, G>, SessionError> {
        let start = game.admit(start)?;
        let info = game.info();
        let knowledge = match info.players {
            2 => Knowledge::learn(game, info.start.as_ref().unwrap_or(&start))?,
            _ => Knowledge::default(),
        };
        let table = Arc::new(new_table(&options));
        let (knowledge, control) = (Arc::new(knowledge), Arc::new(Control::default()));
        let record = Record::new(game, start)?;
        Ok(Session {
            record,
            options,
            table,
            knowledge,
            kept: Kept::default(),
            control,
            epoch: Instant::now(),
            warm: Vec::new(),
        })
    }

    /// The game that is played.
    pub fn game(&self) -> &'game G {
        self.record.game()
    }

    /// Its board and pieces.
    pub fn info(&self) -> &'game GameInfo {
        self.record.game().info()
    }

    /// The game so far.
    pub fn record(&self) -> &Record<'game, G> {
        &self.record
    }

    /// The present position in plain form, with the number of the move.
    pub fn position(&self) -> Position {
        self.record.plain()
    }

    /// What was learned of the game.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// What stops a running task; it serves all tasks of this session, one after the other.
    pub fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// How the engine is set.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Sets the engine anew. A table of another size is empty.
    pub fn set_options(&mut self, options: EngineOptions) {
        let resized =
            options.hash_mib != self.options.hash_mib || options.replacement != self.options.replacement;
        self.options = options;
        if resized {
            self.table = Arc::new(new_table(&self.options));
        }
    }

    /// What searches remember.
    pub fn table(&self) -> &Arc<Bucketed> {
        &self.table
    }

    /// Forgets what earlier searches found out.
    pub fn clear_memory(&mut self) {
        self.table.clear();
        self.kept = Kept::default();
    }

    /// The legal moves. Those of a position that ended the game by occurring again are there too: programs that keep
    /// score by themselves may well play on.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn legal(&self) -> Result<MoveList, RuleFault> {
        let mut moves = self.record.legal().clone();
        if moves.is_empty() && self.record.ended().is_none() {
            self.game().generate(self.record.position(), Stage::All, &mut moves)?;
        }
        Ok(moves)
    }

    /// Where a counter of the rules has drawn the game and nothing else has, begins another one with the counter at its
    /// start: whether a draw is claimed is for others to say. False where that makes no difference.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn lift_counters(&mut self) -> Result<bool, RuleFault> {
        let Standing::Finished(Outcome::Draw, _) = self.record.standing() else { return Ok(false) };
        if !self.legal()?.is_empty() {
            return Ok(false);
        }
        let (game, info) = (self.record.game(), self.info());
        let mut position = self.position();
        for property in info.properties.iter().filter(|property| property.silent_below.is_some()) {
            for slot in property.slot..property.slot + info.slots_of(property) {
                position.set(info, slot, property.low as i32);
            }
        }
        if position == self.position() || game.accepts(&position).is_err() {
            return Ok(false);
        }
        let record = Record::new(game, position)?;
        let is_open = record.standing() == Standing::Open;
        if is_open {
            self.record = record;
        }
        Ok(is_open)
    }

    /// Begins another game here.
    ///
    /// # Errors
    /// When this is no position of the game, or the rules go wrong in it; the game stays as it was.
    pub fn begin(&mut self, start: Position) -> Result<(), SessionError> {
        let start = self.game().admit(start)?;
        self.record = Record::new(self.record.game(), start)?;
        Ok(())
    }

    /// Begins another game where games begin.
    ///
    /// # Errors
    /// When the rules do not say where.
    pub fn begin_at_start(&mut self) -> Result<(), SessionError> {
        let start = self.info().start.clone();
        let start = start.ok_or_else(|| SessionError::NoStart(self.info().name.clone()))?;
        self.begin(start)
    }

    /// Begins another game in a position that is given as text, in any form that the game knows.
    ///
    /// # Errors
    /// When it is no position of the game.
    pub fn begin_at(&mut self, position: &str) -> Result<(), SessionError> {
        let position = read_position(self.info(), position)?;
        self.begin(position)
    }

    /// Plays a move that is given as text: coordinates or the game's own notation.
    ///
    /// # Errors
    /// When it is not legal; nothing is played.
    pub fn play_text(&mut self, text: &str) -> Result<(), SessionError> {
        let legal = self.legal()?;
        let index = coordinates::find(self.info(), &self.position(), &legal, text)?;
        Ok(self.play(&legal.get(index).to_move())?)
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// When the rules go wrong in the new position; nothing is played.
    pub fn play(&mut self, played: &Move) -> Result<(), RuleFault> {
        self.record.play(played)
    }

    /// Takes the last move back; false at the start.
    ///
    /// # Errors
    /// When the rules go wrong in the earlier position.
    pub fn take_back(&mut self) -> Result<bool, RuleFault> {
        self.record.take_back()
    }

    /// A search of the present position, of these moves alone if there are any. Makes the control ready for it.
    ///
    /// # Errors
    /// When the game is not one for two players.
    pub fn task(&self, limits: Limits, only: Vec<Move>) -> Result<Task<'game, G>, SessionError> {
        if self.info().players != 2 {
            return Err(SessionError::OnePlayer(self.info().name.clone()));
        }
        self.control.reset();
        self.table.next_generation();
        let EngineOptions { method, habits, threads, .. } = &self.options;
        let threads = (*threads).max(1);
        Ok(Task {
            game: self.record.game(),
            root: Root { only, ..Root::of_record(&self.record) },
            ended: self.record.ended(),
            settings: self.options.settings,
            lines: self.options.multi_pv.max(1),
            level: self.options.limited_level(),
            threads: (habits.method(*method, &self.info().name, threads), threads),
            timeline: None,
            ledger: None,
            limits,
            table: Arc::clone(&self.table),
            knowledge: Arc::clone(&self.knowledge),
            kept: self.kept.clone(),
            control: Arc::clone(&self.control),
            epoch: self.epoch,
        })
    }

    /// Searches a little and forgets it: rules are compiled part by part when they are first needed, which must not
    /// happen while a clock runs. It has a table of its own, so what earlier searches found out stays.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn warm_up(&self) -> Result<(), SessionError> {
        let limits = Limits { time: TimeLimit::Fixed(WARM_UP_TIME), ..Limits::to_nodes(WARM_UP_NODES) };
        let task = self.task(limits, Vec::new())?;
        let table = Arc::new(Bucketed::new(1, self.options.replacement));
        Task { kept: Kept::default(), table, ..task }.run(&mut |_, _| {})?;
        Ok(())
    }

    /// The same before the first search of an engine; does nothing in games without an engine. For conversations in
    /// which it may never come to a search.
    ///
    /// # Errors
    /// When the rules go wrong.
    pub fn warm_up_once(&mut self) -> Result<(), SessionError> {
        let engine = self.options.settings.engine;
        if self.info().players == 2 && !self.warm.contains(&engine) {
            self.warm_up()?;
            self.warm.push(engine);
        }
        Ok(())
    }

    /// The time on the clock of this session's tasks.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.epoch.elapsed()
    }
}

fn new_table(options: &EngineOptions) -> Bucketed {
    Bucketed::new(options.hash_mib.max(1), options.replacement)
}
