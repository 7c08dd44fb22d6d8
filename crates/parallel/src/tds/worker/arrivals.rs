//! States that arrive: they are looked up, sent on to where they belong, or stacked if they are new. A stack that grows
//! too high makes the others pause.

use std::time::Duration;

use fabric::ProcessorId;
use game::motion::Divided;

use super::{Known, Worker};
use crate::tds::post::home;
use crate::tds::protocol::Message;
use crate::tds::record;
use crate::tds::settings::Scheduling;

impl Worker<'_, '_> {
    /// States that have arrived.
    pub(super) fn take_in(&mut self, records: &[u8]) {
        if self.settings.scheduling == Scheduling::Stealing {
            return self.take_gift(records);
        }
        self.unpack(records);
        if let Known::Here(memory) = self.known {
            records
                .chunks_exact(self.form.bytes())
                .for_each(|record| memory.fetch(record::signature(record)));
        }
        for record in records.chunks_exact(self.form.bytes()) {
            let to = self.destination(record);
            if !self.post.forwards(to, record) {
                self.admit(record);
            }
        }
        if !self.open.is_empty() {
            (self.asks_again, self.pause) = (None, self.settings.pauses.0);
        }
        self.mind_the_stack();
    }

    /// States that another processor has given away, to be worked on here.
    pub(super) fn take_gift(&mut self, records: &[u8]) {
        self.unpack(records);
        records.chunks_exact(self.form.bytes()).for_each(|record| self.open.push(record));
        (self.is_asking, self.asks_again, self.pause) = (false, None, self.settings.pauses.0);
        self.mind_the_stack();
    }

    fn unpack(&self, records: &[u8]) {
        let work = self.settings.costs.journey_byte_ps * records.len() as u64;
        self.here.charge(Duration::from_nanos(work.div_ceil(1000)));
    }

    /// Where a state has to go: home, or to the holder of the entry for it that is to be looked up next.
    fn destination(&self, record: &[u8]) -> ProcessorId {
        match self.space.divided() {
            Some(divided) => {
                let (looks, _) = self.form.known(record);
                ProcessorId(divided.holder(looks, self.form.state(record)) as u32)
            }
            None => self.address.home(self.form.state(record), record::signature(record)),
        }
    }

    /// A state has come home, or to where it is looked up.
    pub(super) fn admit(&mut self, record: &[u8]) {
        match self.space.divided() {
            Some(divided) => self.look_up(divided, record),
            None => self.note(record),
        }
    }

    /// Looks up what is known of a state here, and sends it on to where the next entry is. The last one is its home.
    fn look_up(&mut self, divided: &dyn Divided, record: &[u8]) {
        let (form, here) = (self.form, self.here.id());
        let (mut looks, mut known) = form.known(record);
        let (state, made) = (form.state(record), u32::from(record::made(record)));
        self.here.charge(self.settings.costs.evaluation);
        loop {
            known = divided.look(here.index(), looks, state, known);
            looks += 1;
            let length = made + divided.bound(state, known);
            if length > self.limit {
                self.next = self.next.min(length);
                return;
            }
            if looks == divided.looks() {
                return self.note(record);
            }
            let to = ProcessorId(divided.holder(looks, state) as u32);
            if let Some(hop) = self.post.next_hop(to) {
                return self.post.put(hop, |message| {
                    let first = message.len();
                    message.extend_from_slice(record);
                    form.note(&mut message[first..], looks, known);
                });
            }
        }
    }

    /// A state is where it stays: it is stacked if it is new.
    fn note(&mut self, record: &[u8]) {
        let left = self.limit - u32::from(record::made(record));
        if self.is_new(record::signature(record), left) {
            self.open.push(record);
        } else {
            self.effort.known += 1;
        }
    }

    /// Whether a state has not been looked at with so many moves left.
    pub(super) fn is_new(&self, signature: u64, left: u32) -> bool {
        match self.known {
            Known::Here(memory) => memory.admits(signature, left),
            Known::Parts(parts) => {
                let owner = home(signature, self.here.processors());
                let answered = self.here.reach(owner, 16, 8);
                self.here.pass(answered);
                parts[owner.index()].admits(signature, left)
            }
        }
    }

    /// Tells the others when they have to pause, and when no longer.
    pub(super) fn mind_the_stack(&mut self) {
        let (waiting, unit) = (self.open.len(), self.settings.open_max);
        self.effort.open_most = self.effort.open_most.max(waiting);
        let level = usize::from(self.levels[self.here.id().index()]);
        // It goes down later than up, so that a stack at the border does not make all of them talk.
        let is_same =
            waiting < unit.saturating_mul(level + 1) && waiting + unit / 2 >= unit.saturating_mul(level);
        if is_same || self.settings.scheduling == Scheduling::Stealing {
            return;
        }
        let level = (waiting / unit.max(1)).min(usize::from(u8::MAX)) as u8;
        self.levels[self.here.id().index()] = level;
        let others = (0..self.here.processors() as u32).map(ProcessorId);
        let message = Message::Level(level);
        others.filter(|&other| other != self.here.id()).for_each(|other| self.say(other, &message));
    }

    pub(super) fn note_level(&mut self, from: ProcessorId, level: u8) {
        self.levels[from.index()] = level;
        let others = self.levels.iter().enumerate().filter(|(id, _)| *id != self.here.id().index());
        self.highest = others.map(|(_, level)| *level).max().unwrap_or(0);
    }
}
