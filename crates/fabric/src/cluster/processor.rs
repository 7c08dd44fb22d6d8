//! One thread of one process, as its program sees the machine.

use std::cell::Cell;
use std::thread;
use std::time::{Duration, Instant};

use super::idling::Idling;
use super::port::Port;
use crate::contract::{Event, Processor, ProcessorId};
use crate::mailbox::Mailbox;

/// Polls between two glances at the clock, at most: reading it costs more than all the rest of a poll.
const SKIPPED_POLLS_MAX: u32 = 15;
/// Glances at the clock come more often than needed below the first, and too seldom above the second.
const GLANCE_EVERY_MIN: Duration = Duration::from_micros(1);
const GLANCE_EVERY_MAX: Duration = Duration::from_micros(3);

pub(super) struct ClusterProcessor<'port, 'run> {
    id: ProcessorId,
    mailbox: Mailbox,
    port: &'port Port<'run>,
    /// Polls that may still go by without a glance at the clock, and how many may after it.
    skips: Cell<u32>,
    skips_next: Cell<u32>,
    glanced: Cell<Duration>,
}

impl<'port, 'run> ClusterProcessor<'port, 'run> {
    pub(super) fn new(id: ProcessorId, mailbox: Mailbox, port: &'port Port<'run>) -> Self {
        Self { id, mailbox, port, skips: Cell::new(0), skips_next: Cell::new(0), glanced: Cell::default() }
    }

    /// Whether there is no processor outside this process.
    fn is_one_process(&self) -> bool {
        self.port.processes() == 1
    }

    /// Whether it is time to look at the network.
    fn is_due(&self) -> bool {
        if self.port.is_rung() {
            return true;
        }
        if self.skips.get() > 0 {
            self.skips.set(self.skips.get() - 1);
            return false;
        }
        let now = self.now();
        let gap = now.saturating_sub(self.glanced.replace(now));
        if gap > GLANCE_EVERY_MAX {
            self.skips_next.set(0);
        } else if gap < GLANCE_EVERY_MIN {
            self.skips_next.set((2 * self.skips_next.get() + 1).min(SKIPPED_POLLS_MAX));
        }
        self.skips.set(self.skips_next.get());
        self.port.is_due(now)
    }
}

impl Processor for ClusterProcessor<'_, '_> {
    fn id(&self) -> ProcessorId {
        self.id
    }

    fn processors(&self) -> usize {
        self.port.processes() * self.port.threads()
    }

    fn send(&self, to: ProcessorId, bytes: Vec<u8>) {
        if let Some(mailbox) = self.port.mailbox(to) {
            let event = Event::Message { from: self.id, bytes };
            return self.mailbox.send(mailbox, event, || self.port.look(true));
        }
        // The next poll looks at the clock: parcels wait for a bounded time.
        self.skips.set(0);
        while !self.port.post(to, self.id, &bytes) {
            self.mailbox.take_in();
            self.port.look(true);
            thread::yield_now();
        }
    }

    fn poll(&self) -> Option<Event> {
        if !self.is_one_process() && self.is_due() {
            self.port.look(false);
        }
        self.mailbox.next()
    }

    fn wait(&self, until: Option<Duration>) {
        let until = until.map(|until| self.port.began() + until);
        if self.is_one_process() {
            return self.mailbox.wait(until);
        }
        let idling = Idling::begin();
        let mut hurry = true;
        while self.mailbox.is_empty() && until.is_none_or(|until| Instant::now() < until) {
            self.port.look(hurry);
            hurry = false;
            idling.pause(|nap| {
                let end = Instant::now() + nap;
                self.mailbox.wait(Some(until.map_or(end, |until| end.min(until))));
            });
        }
    }

    fn now(&self) -> Duration {
        self.port.began().elapsed()
    }

    fn charge(&self, _: Duration) {}
}
