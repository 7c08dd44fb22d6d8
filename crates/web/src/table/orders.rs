//! What front ends may order at a table.

use std::sync::Arc;
use std::time::Duration;

use parallel::Method;
use parallel::stealing::Policy;
use protocol::pgn::Pgn;
use serde_json::{Value, json};

use super::{GameTable, Kind, TIME_MAX};
use crate::clock::GameClock;
use crate::host::Host;
use crate::message::{Order, Player, Refusal, SaveFormat, Side};
use crate::outbox::Outbox;
use crate::seat::Effort;

const HINT: Duration = Duration::from_millis(800);

impl<'env: 'scope, 'scope, H: Host> GameTable<'_, 'scope, 'env, H> {
    /// Does what was ordered; `None` if the answer comes later.
    pub(super) fn obey(&mut self, order: Order, outbox: &Outbox, id: u64) -> Option<Result<Value, Refusal>> {
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
                self.seat_players(players, clock.map(GameClock::new));
                done(Ok(()))
            }
            Order::Resign { side } => done(self.resign(side)),
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
            Order::Analyse { ply, lines, threads, method, .. } => {
                self.settle(Kind::Analysis);
                let ply = ply.unwrap_or(self.moves.len()).min(self.moves.len());
                let effort = self.effort_of_analysis(lines, threads, method.as_deref());
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
            Order::Save { format } => Some(self.save(format)),
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
                let (job, stop) = self.seat.import(text, self.key(), Arc::clone(&self.hall.collection));
                self.start(Kind::Import, job, stop, asker)
            }
            Order::Explore { ply } => Some(self.explore(ply)),
            Order::KnownGame { id } => Some(self.known_game(id)),
            Order::Processors => Some(Ok(self.seat.processors())),
            Order::Simulate { processors, depth, method } => {
                let policy = method.as_deref().and_then(Policy::from_name).unwrap_or(Policy::YBWC);
                match self.seat.simulate(processors, depth, policy) {
                    Ok((job, stop)) => self.start(Kind::Count, job, stop, asker),
                    Err(message) => Some(Err(Refusal::no(message))),
                }
            }
            Order::Tree { depth } => Some(self.seat.tree(depth).map_err(Refusal::no)),
        }
    }

    /// The game as text.
    fn save(&self, format: SaveFormat) -> Result<Value, Refusal> {
        let tags = [("Event", "A game in the browser"), ("Variant", self.title.as_str())];
        self.seat.save(format, &tags).map(|text| json!({ "text": text })).map_err(Refusal::no)
    }

    fn seat_players(&mut self, players: [Player; 2], clock: Option<GameClock>) {
        self.settle(Kind::Move);
        self.players = players;
        self.clock = clock;
        self.keep();
        self.show(self.moves.len());
        self.next_turn();
    }

    fn resign(&mut self, side: Side) -> Result<(), Refusal> {
        if !self.is_open() {
            return Err(Refusal::no("the game is over"));
        }
        let (winner, name) = match side {
            Side::White => ("black", "White"),
            Side::Black => ("white", "Black"),
        };
        self.end_by(winner, format!("{name} gives up."));
        Ok(())
    }

    fn effort_of_analysis(
        &self,
        lines: Option<usize>,
        threads: Option<usize>,
        method: Option<&str>,
    ) -> Effort {
        Effort {
            time: Some(TIME_MAX),
            lines: lines.unwrap_or(1).clamp(1, 8),
            threads: threads.unwrap_or(1).clamp(1, self.hall.bounds.threads),
            method: method.and_then(Method::from_name).unwrap_or_default(),
            ..Effort::default()
        }
    }

    /// What the games of the collection did in a position.
    fn explore(&self, ply: usize) -> Result<Value, Refusal> {
        let signature = self.seat.signature(ply.min(self.moves.len())).map_err(Refusal::no)?;
        let found = self.hall.collection.look_up(&self.key(), signature);
        found.map(|found| json!(found)).map_err(|error| Refusal::no(error.to_string()))
    }

    fn known_game(&self, id: i64) -> Result<Value, Refusal> {
        match self.hall.collection.game(&self.key(), id) {
            Ok(Some(game)) => Ok(json!({ "text": text_of(&game) })),
            Ok(None) => Err(Refusal::no("there is no such game in the collection")),
            Err(error) => Err(Refusal::no(error.to_string())),
        }
    }

    /// Under which name the database knows games by these rules.
    pub(super) fn key(&self) -> String {
        self.opening.name.clone().unwrap_or_else(|| self.rules.clone())
    }
}

/// A game as text that `open` reads.
fn text_of(game: &Pgn) -> String {
    let start = game.tag("FEN").map(|position| format!("position {position}\n")).unwrap_or_default();
    start + &game.moves.join("\n")
}
