//! What takes time runs beside the table and comes back as an event.

use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

use super::{Event, GameTable, Kind, Running};
use crate::host::Host;
use crate::jobs::Job;
use crate::message::{self, Refusal};
use crate::outbox::Outbox;
use crate::seat::{Effort, Stop};

impl<'env: 'scope, 'scope, H: Host> GameTable<'_, 'scope, 'env, H> {
    pub(super) fn start_thinking(
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
    pub(super) fn start(
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

    /// Stops a job. Searches of the same session share a memory: their end is waited for, which takes some
    /// milliseconds. Others come to their end by themselves, and their results are not used any more.
    pub(super) fn settle(&mut self, kind: Kind) {
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

    pub(super) fn settle_game(&mut self) {
        [Kind::Move, Kind::Hint, Kind::Solve, Kind::Review, Kind::Count]
            .into_iter()
            .for_each(|kind| self.settle(kind));
    }

    pub(super) fn stop_all(&mut self) {
        self.settle_game();
        self.settle(Kind::Analysis);
    }

    pub(super) fn answer_job(&mut self, kind: Kind, result: Result<Value, Refusal>) {
        if let Some(Running { asker: Some((outbox, id)), .. }) = self.running.remove(&kind) {
            outbox.tell(message::answer(id, result));
        }
    }

    pub(super) fn hear(&mut self, kind: Kind, serial: u64, value: Value) {
        if self.running.get(&kind).is_some_and(|running| running.serial == serial) {
            let message = message::news(&self.name, kind.name(), &value);
            self.guests.iter().for_each(|guest| guest.mention(&message));
        }
    }

    pub(super) fn done(&mut self, kind: Kind, serial: u64, result: Result<Value, String>) {
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
