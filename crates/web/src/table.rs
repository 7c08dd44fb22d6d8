//! One game at one table: who plays, what was played, what is being thought. A loop over one `enum Event`; whatever
//! takes time runs on another thread and comes back as an event.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use game::Position;
use serde_json::{Value, json};

use crate::clock::GameClock;
use crate::hall::Hall;
use crate::host::Host;
use crate::jobs::Job;
use crate::look::Look;
use crate::message::{self, Level, MoveChoice, Opening, Order, Player, Refusal, Side, WORDS_MAX};
use crate::outbox::Outbox;
use crate::seat::{Effort, Ending, Played, Seat, Stop};
use crate::store::{self, Kept};

/// A table that nobody looks at ends after this long; it is kept.
const ALONE: Duration = Duration::from_secs(300);
/// Longer games are not played.
const PLIES_MAX: usize = 5_000;
/// The longest that a front end can ask for.
const TIME_MAX: Duration = Duration::from_secs(600);
const SCRAMBLE_MAX: u32 = 500;
const HINT: Duration = Duration::from_millis(800);

/// How a table begins.
pub(crate) struct Beginning {
    pub(crate) table: String,
    pub(crate) title: String,
    pub(crate) rules: String,
    pub(crate) opening: Opening,
    pub(crate) kept: Option<Kept>,
    pub(crate) outbox: Outbox,
    pub(crate) id: u64,
}

impl Beginning {
    /// Tells who asked that there will be no table.
    pub(crate) fn refuse(&self, message: String) {
        self.outbox.tell(message::answer(self.id, Err(Refusal::no(message))));
    }
}

/// All that can wake a table.
pub(crate) enum Event {
    Order {
        order: Order,
        outbox: Outbox,
        id: u64,
    },
    Join {
        outbox: Outbox,
        id: u64,
    },
    Leave(u64),
    /// A job has something to tell.
    News {
        kind: Kind,
        serial: u64,
        value: Value,
    },
    /// A job is done.
    Done {
        kind: Kind,
        serial: u64,
        result: Result<Value, String>,
    },
    Forget,
    Close,
}

/// What a job is for. There is at most one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The computer's move, or a hint: searches of the game itself.
    Move,
    Hint,
    Analysis,
    Review,
    Count,
    Solve,
    Import,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Move => "move",
            Kind::Hint => "hint",
            Kind::Analysis => "analysis",
            Kind::Review => "review",
            Kind::Count => "count",
            Kind::Solve => "solve",
            Kind::Import => "import",
        }
    }
}

struct Running {
    serial: u64,
    stop: Stop,
    /// Who waits for the answer.
    asker: Option<(Outbox, u64)>,
}

/// A game, who plays it and who looks on.
pub(crate) struct Table<'run, 'scope, 'env, H> {
    hall: &'run Arc<Hall<H>>,
    name: String,
    title: String,
    rules: String,
    opening: Opening,
    seat: Box<dyn Seat<'env> + 'env>,
    start: Position,
    scope: &'scope Scope<'scope, 'env>,
    sender: SyncSender<Event>,
    events: Receiver<Event>,
    /// Events that came while something else was waited for.
    waiting: VecDeque<Event>,
    guests: Vec<Outbox>,
    moves: Vec<Played>,
    redo: Vec<String>,
    players: [Player; 2],
    clock: Option<GameClock>,
    verdict: Option<Ending>,
    running: HashMap<Kind, Running>,
    serial: u64,
    random: u64,
    alone_since: Instant,
    forgotten: bool,
}

impl<'run, 'scope, 'env: 'scope, H: Host> Table<'run, 'scope, 'env, H> {
    /// Plays until nobody is interested any more.
    pub(crate) fn serve(
        hall: &'run Arc<Hall<H>>,
        seat: Box<dyn Seat<'env> + 'env>,
        beginning: Beginning,
        scope: &'scope Scope<'scope, 'env>,
        (sender, events): (SyncSender<Event>, Receiver<Event>),
    ) -> Result<(), Refusal> {
        let Beginning { table: name, title, rules, opening, kept, outbox, id } = beginning;
        let start = seat.info().start.clone().ok_or_else(|| Refusal::no("there is no start position"))?;
        let usual = [Player::Person, Player::Person];
        let players = opening.players.clone().unwrap_or(usual);
        let clock = opening.clock.map(GameClock::new);
        let mut table = Table {
            hall,
            name,
            title,
            rules,
            opening,
            seat,
            start,
            scope,
            sender,
            events,
            waiting: VecDeque::new(),
            guests: Vec::new(),
            moves: Vec::new(),
            redo: Vec::new(),
            players,
            clock,
            verdict: None,
            running: HashMap::new(),
            serial: 0,
            random: store::now() | 1,
            alone_since: Instant::now(),
            forgotten: false,
        };
        match kept {
            Some(kept) => table.take_up(kept)?,
            None => table.begin_as_asked()?,
        }
        table.keep();
        table.join(outbox, id);
        table.next_turn();
        table.run();
        Ok(())
    }

    fn begin_as_asked(&mut self) -> Result<(), Refusal> {
        let Opening { setup, position, record, .. } = self.opening.clone();
        if let Some(record) = record {
            self.moves = self.seat.replay(&record)?;
            return Ok(());
        }
        let start = self.position_for(setup.as_deref(), position.as_deref())?;
        self.seat.begin(start)?;
        Ok(())
    }

    fn position_for(&self, setup: Option<&str>, position: Option<&str>) -> Result<Position, Refusal> {
        match (setup, position) {
            (_, Some(text)) if text.len() > WORDS_MAX => {
                Err(Refusal::no("this is too long to be a position"))
            }
            (_, Some(text)) => Ok(self.seat.read_position(text)?),
            (Some(wanted), None) if !wanted.is_empty() => {
                let checked =
                    self.hall.host.check(&self.rules).map_err(|_| Refusal::no("the rules are wrong"))?;
                let found = checked.setups.into_iter().find(|(name, _)| name == wanted);
                found
                    .map(|(_, start)| start)
                    .ok_or_else(|| Refusal::no(format!("there is no setup `{wanted}`")))
            }
            _ => Ok(self.start.clone()),
        }
    }

    fn take_up(&mut self, kept: Kept) -> Result<(), Refusal> {
        let start = self.seat.read_position(&kept.start)?;
        self.seat.begin(start)?;
        for name in kept.moves {
            let index = self.seat.find(&MoveChoice::Name(name))?;
            self.moves.push(self.seat.play(index)?);
        }
        self.players = kept.players;
        self.clock = kept.clock.map(|setting| GameClock::resumed(setting, kept.remaining));
        let side = |winner: String| if winner == "white" { "white" } else { "black" };
        self.verdict = kept.verdict.map(|(winner, words)| Ending { winner: winner.map(side), words });
        Ok(())
    }

    fn run(&mut self) {
        loop {
            let event = match self.waiting.pop_front() {
                Some(event) => event,
                None => match self.events.recv_timeout(self.patience()) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => {
                        self.look_at_clock();
                        if self.guests.is_empty() && self.alone_since.elapsed() > ALONE {
                            self.finish();
                            // Nobody misses a game in which nothing was done.
                            if self.moves.is_empty() && self.redo.is_empty() {
                                self.hall.store.forget(&self.name);
                            }
                            return;
                        }
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => return self.finish(),
                },
            };
            self.look_at_clock();
            match event {
                Event::Order { order, outbox, id } => {
                    if let Some(result) = self.obey(order, &outbox, id) {
                        outbox.tell(message::answer(id, result));
                    }
                }
                Event::Join { outbox, id } => {
                    let first = self.guests.is_empty();
                    self.join(outbox, id);
                    // Nobody was there to play for; now somebody is.
                    if first && self.redo.is_empty() && !self.running.contains_key(&Kind::Move) {
                        self.next_turn();
                    }
                }
                Event::Leave(connection) => {
                    self.guests.retain(|guest| guest.id != connection);
                    if self.guests.is_empty() {
                        self.alone_since = Instant::now();
                        self.stop_all();
                        self.seat.rest();
                        if self.opening.passing {
                            return self.finish();
                        }
                    }
                }
                Event::News { kind, serial, value } => self.hear(kind, serial, value),
                Event::Done { kind, serial, result } => self.done(kind, serial, result),
                Event::Forget => {
                    self.forgotten = true;
                    self.hall.store.forget(&self.name);
                }
                Event::Close => {
                    self.tell("closing", &json!({ "words": "The server was stopped. Your game is kept." }));
                    return self.finish();
                }
            }
        }
    }

    fn finish(&mut self) {
        self.stop_all();
        self.keep();
    }

    /// How long to wait for the next event.
    fn patience(&self) -> Duration {
        let usual =
            if self.guests.is_empty() { ALONE.saturating_sub(self.alone_since.elapsed()) } else { ALONE };
        let usual = usual.max(Duration::from_millis(10));
        match &self.clock {
            Some(clock) if self.is_open() => usual.min(clock.left() + Duration::from_millis(1)),
            _ => usual,
        }
    }

    fn is_open(&self) -> bool {
        self.verdict.is_none() && self.seat.view_over().is_none()
    }

    fn look_at_clock(&mut self) {
        let Some(clock) = &self.clock else { return };
        if self.is_open() && clock.left().is_zero() {
            let late = clock.side();
            let (winner, name) = if late == 0 { ("black", "White") } else { ("white", "Black") };
            self.end_by(winner, format!("{name} has no time left."));
        }
    }

    fn end_by(&mut self, winner: &'static str, words: String) {
        self.settle(Kind::Move);
        self.verdict = Some(Ending { winner: Some(winner), words });
        if let Some(clock) = &mut self.clock {
            clock.stop();
        }
        self.keep();
        self.show(self.moves.len());
    }

    fn join(&mut self, outbox: Outbox, id: u64) {
        let info = self.seat.info();
        let opened = json!({
            "game": self.name,
            "name": self.opening.name,
            "title": self.title,
            "look": Look::of(info, &self.rules),
            "rules": self.rules,
            "state": self.state(0),
        });
        self.guests.retain(|guest| guest.id != outbox.id);
        if outbox.tell(message::answer(id, Ok(opened))) {
            self.guests.push(outbox);
        }
        self.alone_since = Instant::now();
    }

    /// Everything that changes, with the moves from the given one on.
    fn state(&self, since: usize) -> Value {
        let mut view = serde_json::to_value(self.seat.view()).unwrap_or_default();
        if let Some(verdict) = &self.verdict {
            view["over"] = json!(verdict);
            view["legal"] = json!([]);
        }
        view["since"] = json!(since);
        view["moves"] = json!(self.moves[since.min(self.moves.len())..]);
        view["ply"] = json!(self.moves.len());
        view["redo"] = json!(self.redo.len());
        view["players"] = json!(self.players);
        view["clock"] = self.clock.as_ref().map_or(Value::Null, GameClock::told);
        view["thinking"] = json!(self.running.contains_key(&Kind::Move));
        view
    }

    fn show(&mut self, since: usize) {
        let state = self.state(since);
        self.tell("state", &state);
    }

    fn tell(&mut self, kind: &str, value: &Value) {
        let message = message::news(&self.name, kind, value);
        self.guests.retain(|guest| guest.tell(message.clone()));
    }

    fn keep(&self) {
        if self.opening.passing || self.forgotten {
            return;
        }
        let kept = Kept {
            version: store::VERSION,
            name: self.opening.name.clone(),
            rules: self.opening.rules.clone(),
            title: self.title.clone(),
            start: self.seat.start_text(),
            moves: self.moves.iter().map(|played| played.text.clone()).collect(),
            players: self.players.clone(),
            clock: self.clock.as_ref().map(GameClock::setting),
            remaining: self.clock.as_ref().map(GameClock::remaining),
            verdict: self.verdict.clone().map(|ending| (ending.winner.map(str::to_owned), ending.words)),
            changed: store::now(),
        };
        // A disk that is full must not end a game; the next move tries again.
        let _ = self.hall.store.save(&self.name, &kept);
    }

    /// Does what was ordered; `None` if the answer comes later.
    fn obey(&mut self, order: Order, outbox: &Outbox, id: u64) -> Option<Result<Value, Refusal>> {
        let asker = Some((outbox.clone(), id));
        let done = |result: Result<(), Refusal>| Some(result.map(|()| Value::Null));
        match order {
            Order::Play { ply, played } => done(self.person_plays(ply, &played)),
            Order::TakeBack { to } => done(self.take_back(to)),
            Order::Forward { to } => done(self.forward(to)),
            Order::Begin { setup, position } => {
                let start = self.position_for(setup.as_deref(), position.as_deref());
                done(start.and_then(|start| self.begin(start)))
            }
            Order::Edit { slots, mover } => {
                let start = self.edited(&slots, mover);
                done(start.and_then(|start| self.begin(start)))
            }
            Order::Players { players, clock } => {
                self.settle(Kind::Move);
                self.players = players;
                self.clock = clock.map(GameClock::new);
                self.keep();
                self.show(self.moves.len());
                self.next_turn();
                done(Ok(()))
            }
            Order::Resign { side } if self.is_open() => {
                let (winner, name) = match side {
                    Side::White => ("black", "White"),
                    Side::Black => ("white", "Black"),
                };
                self.end_by(winner, format!("{name} gives up."));
                done(Ok(()))
            }
            Order::Resign { .. } => done(Err(Refusal::no("the game is over"))),
            Order::Hint if self.running.contains_key(&Kind::Move) => {
                done(Err(Refusal::wait("the computer is thinking: wait for its move")))
            }
            Order::Hint => {
                self.settle(Kind::Hint);
                let effort = Effort { time: Some(HINT), lines: 1, threads: 1, ..Effort::default() };
                self.start_thinking(Kind::Hint, effort, None, asker)
            }
            Order::Analyse { on: false, .. } => {
                self.settle(Kind::Analysis);
                done(Ok(()))
            }
            Order::Analyse { ply, lines, threads, .. } => {
                self.settle(Kind::Analysis);
                let ply = ply.unwrap_or(self.moves.len()).min(self.moves.len());
                let effort = Effort {
                    time: Some(TIME_MAX),
                    lines: lines.unwrap_or(1).clamp(1, 8),
                    threads: threads.unwrap_or(1).clamp(1, self.hall.bounds.threads),
                    ..Effort::default()
                };
                self.start_thinking(Kind::Analysis, effort, Some(ply), asker)
            }
            Order::Review { nodes } => {
                let (job, stop) = self.seat.review(nodes.unwrap_or(20_000).clamp(100, 5_000_000));
                self.start(Kind::Review, job, stop, asker)
            }
            Order::Stop => {
                self.stop_all();
                done(Ok(()))
            }
            Order::Save { format } => {
                let tags = [("Event", "A game in the browser"), ("Variant", self.title.as_str())];
                Some(self.seat.save(format, &tags).map(|text| json!({ "text": text })).map_err(Refusal::no))
            }
            Order::Perft { depth } => {
                let (job, stop) = self.seat.perft(depth.clamp(1, 30), Duration::from_secs(5));
                self.start(Kind::Count, job, stop, asker)
            }
            Order::RandomGames { games } => {
                let (job, stop) = self.seat.random_games(games.clamp(1, 100_000), Duration::from_secs(5));
                self.start(Kind::Count, job, stop, asker)
            }
            Order::Scramble { moves } => done(self.scramble(moves)),
            Order::Solve { time } => {
                let time = time.map_or(Duration::from_secs(20), Duration::from_millis).min(TIME_MAX);
                let (job, stop) = self.seat.solve(time);
                self.start(Kind::Solve, job, stop, asker)
            }
            Order::Import { text } => {
                let (job, stop) = self.seat.import(text, self.key(), Arc::clone(&self.hall.database));
                self.start(Kind::Import, job, stop, asker)
            }
            Order::Explore { ply } => {
                let signature = self.seat.signature(ply.min(self.moves.len()));
                let found = signature.and_then(|signature| {
                    self.hall.database.look_up(&self.key(), signature).map_err(|error| error.to_string())
                });
                Some(found.map_err(Refusal::no))
            }
            Order::KnownGame { id } => {
                let missing = |_| Refusal::no("there is no such game in the database");
                Some(self.hall.database.record(id).map(|text| json!({ "text": text })).map_err(missing))
            }
            Order::Tree { depth } => Some(self.seat.tree(depth).map_err(Refusal::no)),
        }
    }

    /// Under which name the database knows games by these rules.
    fn key(&self) -> String {
        self.opening.name.clone().unwrap_or_else(|| self.rules.clone())
    }

    fn person_plays(&mut self, ply: usize, wanted: &MoveChoice) -> Result<(), Refusal> {
        if !self.is_open() {
            return Err(Refusal::no("the game is over"));
        }
        if ply != self.moves.len() {
            return Err(Refusal::no("this move was chosen in an earlier position"));
        }
        if matches!(self.player(), Player::Computer(_)) {
            return Err(Refusal::no("it is the computer's turn"));
        }
        let index = self.seat.find(wanted)?;
        self.play(index)
    }

    fn play(&mut self, index: usize) -> Result<(), Refusal> {
        if self.moves.len() >= PLIES_MAX {
            return Err(Refusal::no(format!("games end after {PLIES_MAX} moves here")));
        }
        self.settle(Kind::Hint);
        self.settle(Kind::Solve);
        let played = self.seat.play(index)?;
        self.redo.clear();
        self.moves.push(played);
        if let Some(clock) = &mut self.clock {
            clock.press();
        }
        self.keep();
        self.show(self.moves.len() - 1);
        self.next_turn();
        Ok(())
    }

    fn player(&self) -> &Player {
        let black = self.seat.info().players == 2 && self.seat.mover() == "black";
        &self.players[usize::from(black)]
    }

    /// Lets the computer think if it is its turn.
    fn next_turn(&mut self) {
        let open = self.is_open();
        if let Some(clock) = &mut self.clock {
            match open {
                true => clock.run(usize::from(self.seat.mover() == "black")),
                false => clock.stop(),
            }
        }
        let Player::Computer(strength) = self.player().clone() else { return };
        if !open || self.seat.info().players != 2 {
            return;
        }
        let level = strength.level.unwrap_or(Level::Strong);
        self.random = protocol::chance::next(self.random);
        if strength.level == Some(Level::Beginner) && self.random & 1 == 0 {
            let choices = self.seat.view().choices.max(1) as u64;
            let _ = self.play(((self.random >> 8) % choices) as usize);
            return;
        }
        let set = strength.time.is_some() || strength.nodes.is_some() || strength.depth.is_some();
        let (nodes, time) = match level {
            _ if set => (strength.nodes, strength.time.map(Duration::from_millis)),
            Level::Beginner => (Some(60), None),
            Level::Easy => (Some(400), None),
            Level::Medium => (Some(8_000), None),
            Level::Strong => (None, Some(Duration::from_secs(1))),
            Level::Expert => (None, Some(Duration::from_secs(5))),
        };
        let clock = self.clock.as_ref().map(|clock| (clock.left(), clock.increment()));
        let effort = Effort {
            nodes,
            clock,
            time: Some(time.unwrap_or(TIME_MAX).min(TIME_MAX)),
            depth: strength.depth,
            lines: 1,
            threads: strength.threads.unwrap_or(1).clamp(1, self.hall.bounds.threads),
        };
        self.settle(Kind::Hint);
        self.start_thinking(Kind::Move, effort, None, None);
        self.show(self.moves.len());
    }

    fn take_back(&mut self, to: usize) -> Result<(), Refusal> {
        self.settle_game();
        self.verdict = None;
        while self.moves.len() > to && self.seat.take_back()? {
            if let Some(last) = self.moves.pop() {
                self.redo.push(last.text);
            }
        }
        self.changed(self.moves.len());
        Ok(())
    }

    fn forward(&mut self, to: usize) -> Result<(), Refusal> {
        self.settle_game();
        let since = self.moves.len();
        while self.moves.len() < to
            && let Some(name) = self.redo.pop()
        {
            let index = self.seat.find(&MoveChoice::Name(name))?;
            self.moves.push(self.seat.play(index)?);
        }
        self.changed(since);
        Ok(())
    }

    fn begin(&mut self, start: Position) -> Result<(), Refusal> {
        self.settle_game();
        self.seat.begin(start)?;
        self.moves.clear();
        self.redo.clear();
        self.verdict = None;
        self.clock = self.clock.as_ref().map(|clock| GameClock::new(clock.setting()));
        self.changed(0);
        self.next_turn();
        Ok(())
    }

    /// After moves were taken back or repeated: nobody's clock runs and the computer waits for a move, or the board would
    /// change under the hands of whoever looks at it.
    fn changed(&mut self, since: usize) {
        if let Some(clock) = &mut self.clock {
            clock.stop();
        }
        self.keep();
        self.show(since);
    }

    fn edited(&self, slots: &[i32], mover: Side) -> Result<Position, Refusal> {
        let info = self.seat.info();
        if slots.len() != info.stored_slots() {
            return Err(Refusal::no(format!("a position has {} numbers", info.stored_slots())));
        }
        let mut position = Position::empty(info);
        for (slot, &value) in slots.iter().enumerate() {
            let allowed = match info.property_of_slot(slot) {
                Some(property) => (property.low..=property.high).contains(&i64::from(value)),
                None if !info.geometry.is_used(slot as game::Field) => continue,
                None => {
                    value == 0
                        || info
                            .pieces
                            .iter()
                            .any(|piece| piece.codes.iter().any(|code| i32::from(code.0) == value))
                }
            };
            if !allowed {
                return Err(Refusal::no(format!("{value} cannot stand in slot {slot}")));
            }
            position.set(info, slot, value);
        }
        if mover == Side::Black && info.players == 2 {
            position.set_mover(game::Colour::Black);
        }
        Ok(position)
    }

    fn scramble(&mut self, moves: u32) -> Result<(), Refusal> {
        if self.seat.info().players != 1 {
            return Err(Refusal::no("puzzles can be scrambled"));
        }
        self.settle_game();
        self.random ^= store::now();
        let mut last: Option<Vec<i32>> = None;
        for _ in 0..moves.min(SCRAMBLE_MAX) {
            let view = self.seat.view();
            if view.choices == 0 {
                break;
            }
            self.random = protocol::chance::next(self.random);
            let mut index = (self.random % view.choices as u64) as usize;
            let mut played = self.seat.play(index)?;
            // A move that leads back at once scrambles nothing.
            if view.choices > 1 && last.as_ref() == Some(&self.seat.view().slots) {
                self.seat.take_back()?;
                index = (index + 1) % view.choices;
                played = self.seat.play(index)?;
            }
            last = Some(view.slots);
            self.moves.push(played);
            if self.seat.view_over().is_some() && self.seat.view().choices == 0 && self.seat.take_back()? {
                self.moves.pop();
            }
        }
        // The scrambled position is where the puzzle begins.
        let text = self.seat.save(message::SaveFormat::Position, &[])?;
        let start = self.seat.read_position(&text)?;
        self.begin(start)
    }

    fn start_thinking(
        &mut self,
        kind: Kind,
        effort: Effort,
        ply: Option<usize>,
        asker: Option<(Outbox, u64)>,
    ) -> Option<Result<Value, Refusal>> {
        match self.seat.think(effort, ply) {
            Ok((job, stop)) => self.start(kind, job, stop, asker),
            Err(message) => Some(Err(Refusal::no(message))),
        }
    }

    /// Runs a job when there is room for it. Its answer comes later.
    fn start(
        &mut self,
        kind: Kind,
        job: Job<'env>,
        stop: Stop,
        asker: Option<(Outbox, u64)>,
    ) -> Option<Result<Value, Refusal>> {
        self.settle(kind);
        self.serial += 1;
        let (serial, sender, stopped) = (self.serial, self.sender.clone(), stop.clone());
        let hall = Arc::clone(self.hall);
        let work = move || {
            let mut tell = |value: Value| drop(sender.try_send(Event::News { kind, serial, value }));
            let given_up = || stopped.is_stopped();
            let permit = hall.pool.enter(&given_up, &mut |before| tell(json!({ "waiting": before + 1 })));
            let result = match permit {
                None => Ok(Value::Null),
                Some(_permit) => {
                    let run = std::panic::AssertUnwindSafe(|| job(&mut tell));
                    std::panic::catch_unwind(run)
                        .unwrap_or_else(|_| Err("the search broke: a mistake of ours".to_owned()))
                }
            };
            drop(sender.send(Event::Done { kind, serial, result }));
        };
        let builder = thread::Builder::new().name(kind.name().to_owned()).stack_size(search::STACK_BYTES);
        match builder.spawn_scoped(self.scope, work) {
            Ok(_) => {
                self.running.insert(kind, Running { serial, stop, asker });
                None
            }
            Err(error) => Some(Err(Refusal::wait(format!("no thread can be started: {error}")))),
        }
    }

    /// Stops a job. Searches of the same session share a memory: their end is waited for, which takes some milliseconds.
    /// Others come to their end by themselves, and nobody listens to them any more.
    fn settle(&mut self, kind: Kind) {
        let Some(running) = self.running.get(&kind) else { return };
        running.stop.stop();
        let wanted = running.serial;
        if !matches!(kind, Kind::Move | Kind::Hint | Kind::Analysis) {
            return self.answer_job(kind, Ok(Value::Null));
        }
        while let Ok(event) = self.events.recv() {
            match event {
                Event::Done { kind, serial, .. } if serial == wanted => {
                    self.answer_job(kind, Ok(Value::Null));
                    break;
                }
                Event::News { .. } => {}
                other => self.waiting.push_back(other),
            }
        }
        self.running.remove(&kind);
    }

    fn settle_game(&mut self) {
        [Kind::Move, Kind::Hint, Kind::Solve, Kind::Review, Kind::Count]
            .into_iter()
            .for_each(|kind| self.settle(kind));
    }

    fn stop_all(&mut self) {
        self.settle_game();
        self.settle(Kind::Analysis);
    }

    fn answer_job(&mut self, kind: Kind, result: Result<Value, Refusal>) {
        if let Some(Running { asker: Some((outbox, id)), .. }) = self.running.remove(&kind) {
            outbox.tell(message::answer(id, result));
        }
    }

    fn hear(&mut self, kind: Kind, serial: u64, value: Value) {
        if self.running.get(&kind).is_some_and(|running| running.serial == serial) {
            let message = message::news(&self.name, kind.name(), &value);
            self.guests.iter().for_each(|guest| guest.mention(&message));
        }
    }

    fn done(&mut self, kind: Kind, serial: u64, result: Result<Value, String>) {
        if self.running.get(&kind).is_none_or(|running| running.serial != serial) {
            return;
        }
        let best = result.as_ref().ok().and_then(|value| value["best"].as_u64());
        let failure = result.as_ref().err().cloned();
        self.answer_job(kind, result.map_err(Refusal::no));
        self.running.remove(&kind);
        if kind != Kind::Move {
            return;
        }
        self.look_at_clock();
        if let Some(index) = best.filter(|_| self.is_open()) {
            if let Err(refusal) = self.play(index as usize) {
                self.tell("trouble", &json!({ "words": refusal.message }));
            }
        } else if let Some(words) = failure {
            self.tell("trouble", &json!({ "words": words }));
        }
    }
}
