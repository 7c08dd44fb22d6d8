//! One game at one table: who plays, what was played, what is being thought. A loop over one `enum Event`; whatever
//! takes time runs on another thread and comes back as an event.

mod opening;
mod orders;
mod playing;
mod work;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::thread::Scope;
use std::time::{Duration, Instant};

use game::Position;
use serde_json::{Value, json};

use crate::clock::GameClock;
use crate::hall::Hall;
use crate::host::Host;
use crate::look::Look;
use crate::message::{self, Opening, Order, Player, Refusal};
use crate::outbox::Outbox;
use crate::seat::{Ending, Played, Seat, Stop};
use crate::store::{self, Kept};

/// A table without a front end ends after this long; it is kept.
const ALONE: Duration = Duration::from_secs(300);
/// The longest that a front end can ask for.
const TIME_MAX: Duration = Duration::from_secs(600);

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
pub(crate) struct GameTable<'run, 'scope, 'env, H> {
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

impl<'run, 'scope, 'env: 'scope, H: Host> GameTable<'run, 'scope, 'env, H> {
    /// Plays until no front end is left.
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
        let mut table = GameTable {
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
                            // A game in which nothing was done is not missed.
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
                    // There was no front end to play for; now there is.
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
}
