//! Moves of people and of the computer, taken back and repeated; positions made by hand or by chance.

use std::time::Duration;

use game::Position;

use super::{GameTable, Kind, TIME_MAX};
use crate::clock::GameClock;
use crate::host::Host;
use crate::message::{self, Level, MoveChoice, Player, Refusal, Side};
use crate::seat::Effort;
use crate::store;

/// Longer games are not played.
const PLIES_MAX: usize = 5_000;
const SCRAMBLE_MAX: u32 = 500;

impl<'env: 'scope, 'scope, H: Host> GameTable<'_, 'scope, 'env, H> {
    pub(super) fn person_plays(&mut self, ply: usize, wanted: &MoveChoice) -> Result<(), Refusal> {
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

    pub(super) fn play(&mut self, index: usize) -> Result<(), Refusal> {
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

    pub(super) fn player(&self) -> &Player {
        let black = self.seat.info().players == 2 && self.seat.mover() == "black";
        &self.players[usize::from(black)]
    }

    /// Lets the computer think if it is its turn.
    pub(super) fn next_turn(&mut self) {
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
            method: parallel::Method::default(),
        };
        self.settle(Kind::Hint);
        self.start_thinking(Kind::Move, effort, None, None);
        self.show(self.moves.len());
    }

    pub(super) fn take_back(&mut self, to: usize) -> Result<(), Refusal> {
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

    pub(super) fn forward(&mut self, to: usize) -> Result<(), Refusal> {
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

    pub(super) fn begin(&mut self, start: Position) -> Result<(), Refusal> {
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

    /// After moves were taken back or repeated: no clock runs and the computer waits for a move, or the board
    /// would change under the hands of the player who looks at it.
    pub(super) fn changed(&mut self, since: usize) {
        if let Some(clock) = &mut self.clock {
            clock.stop();
        }
        self.keep();
        self.show(since);
    }

    pub(super) fn edited(&self, slots: &[i32], mover: Side) -> Result<Position, Refusal> {
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

    pub(super) fn scramble(&mut self, moves: u32) -> Result<(), Refusal> {
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
}
