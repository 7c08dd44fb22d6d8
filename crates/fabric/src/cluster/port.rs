//! Where the threads of a process meet the other processes. There is no thread for communication: a thread that looks
//! serves all, and one that finds another looking goes on with its work. README.md beside this file says why nothing
//! gets stuck.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, TrySendError};

use super::frames::{Frame, frames};
use super::idling::Idling;
use super::outbox::{HELD_MAX, Outboxes, Taken};
use super::wire::Wire;
use crate::contract::{Event, ProcessorId};

/// Parcels under way to one process. While so many are, later messages are combined into the next.
const UNDER_WAY_MAX: u32 = 4;
/// Parcels that one look receives.
const RECEIVED_PER_LOOK_MAX: usize = 64;
/// Messages that found a mailbox full. While there are so many, nothing is received.
const UNDELIVERED_MAX: usize = 4096;
/// Time from one look to the next: the first after a look that received something, and the longest.
const PAUSE_MIN: Duration = Duration::from_micros(2);
const PAUSE_MAX: Duration = Duration::from_micros(16);
/// The longest where all other processes ring.
const PAUSE_MAX_WITH_BELLS: Duration = Duration::from_micros(200);
/// How often a thread looks if all threads are busy with other things.
const WATCH_EVERY: Duration = Duration::from_millis(2);

/// The port of one process, shared by its threads.
pub(super) struct Port<'run> {
    process: usize,
    mailboxes: &'run [Sender<Event>],
    /// A word of each process of this host, by process, which senders count up when something is on its way to it.
    /// Written after the parcel, read before a look, so a look that has seen the count finds the parcel: release and
    /// acquire. A count that is seen late costs time alone.
    bells: Vec<Option<&'run AtomicU64>>,
    /// What this process's bell said at the last look. Written by the thread that looks, read by all; a stale value
    /// costs a look too many.
    heard: AtomicU64,
    pause_max: Duration,
    began: Instant,
    outboxes: Mutex<Outboxes>,
    /// Locked by the thread that calls MPI. Locked before `outboxes` by one that needs both.
    exchange: Mutex<Exchange<'run>>,
    /// When to look next, in nanoseconds since the beginning. Written by who looked and by who has something to send,
    /// read by all. A stale value costs a look too many or a short delay, so relaxed ordering suffices.
    next_look: AtomicU64,
    /// Set when the run is over; the watchman reads it. Nothing else depends on it, so relaxed ordering suffices.
    over: AtomicBool,
}

struct Exchange<'run> {
    wire: Wire<'run>,
    /// By process.
    under_way: Vec<u32>,
    /// By thread: what arrived while the mailbox was full.
    undelivered: Vec<VecDeque<Event>>,
    undelivered_count: usize,
    pause: Duration,
}

impl<'run> Port<'run> {
    pub(super) fn new(
        wire: Wire<'run>,
        process: usize,
        bells: Vec<Option<&'run AtomicU64>>,
        mailboxes: &'run [Sender<Event>],
    ) -> Self {
        let processes = bells.len();
        let exchange = Exchange {
            wire,
            under_way: vec![0; processes],
            undelivered: mailboxes.iter().map(|_| VecDeque::new()).collect(),
            undelivered_count: 0,
            pause: PAUSE_MAX,
        };
        let all_ring = bells.iter().all(Option::is_some);
        let heard = AtomicU64::new(bells[process].map_or(0, |bell| bell.load(Ordering::Acquire)));
        Self {
            process,
            mailboxes,
            bells,
            heard,
            pause_max: if all_ring { PAUSE_MAX_WITH_BELLS } else { PAUSE_MAX },
            began: Instant::now(),
            outboxes: Mutex::new(Outboxes::new(processes)),
            exchange: Mutex::new(exchange),
            next_look: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    pub(super) fn processes(&self) -> usize {
        self.bells.len()
    }

    pub(super) fn threads(&self) -> usize {
        self.mailboxes.len()
    }

    pub(super) fn began(&self) -> Instant {
        self.began
    }

    /// The number that a thread has among all threads of all processes.
    pub(super) fn id(&self, process: usize, thread: usize) -> ProcessorId {
        ProcessorId((process * self.threads() + thread) as u32)
    }

    /// The mailbox of a thread of this process.
    pub(super) fn mailbox(&self, to: ProcessorId) -> Option<&Sender<Event>> {
        let (process, thread) = self.place(to);
        (process == self.process).then(|| &self.mailboxes[thread])
    }

    fn place(&self, id: ProcessorId) -> (usize, usize) {
        (id.index() / self.threads(), id.index() % self.threads())
    }

    /// Takes a message for another process. Returns whether there was room.
    pub(super) fn post(&self, to: ProcessorId, from: ProcessorId, bytes: &[u8]) -> bool {
        let (process, to) = self.place(to);
        let from = self.place(from).1;
        let now = self.began.elapsed();
        // The outboxes are unlocked before a thread looks.
        let taken = self.outboxes().add(process, Frame::Message { to, from, bytes }, now);
        match taken {
            Some(Taken::First) => {
                if !self.send_at_once(process) {
                    self.next_look.fetch_min(nanoseconds(now + HELD_MAX), Ordering::Relaxed);
                }
            }
            Some(Taken::Added) => {}
            Some(Taken::Full) => self.look(false),
            None => return false,
        }
        true
    }

    /// Sends what waits for a process if nothing is on its way there: who gives away work now and then does not look
    /// again soon, and a thread may wait for it. What comes in a burst is combined behind the first. Returns whether it
    /// is sent.
    fn send_at_once(&self, process: usize) -> bool {
        let Ok(mut exchange) = self.exchange.try_lock() else { return false };
        self.complete(&mut exchange);
        if exchange.under_way[process] > 0 {
            return false;
        }
        self.dispatch(&mut exchange, true, |other| other == process);
        true
    }

    /// Whether a process of this host has sent something since the last look.
    pub(super) fn is_rung(&self) -> bool {
        self.bells[self.process]
            .is_some_and(|bell| bell.load(Ordering::Acquire) != self.heard.load(Ordering::Relaxed))
    }

    /// Tells all that a thread of this process is gone.
    pub(super) fn announce_death(&self, id: ProcessorId) {
        crate::mailbox::announce_death(self.mailboxes, id);
        let from = self.place(id).1;
        for process in (0..self.processes()).filter(|&process| process != self.process) {
            let idling = Idling::begin();
            while self.outboxes().add(process, Frame::Died { from }, self.began.elapsed()).is_none() {
                self.look(true);
                idling.pause(thread::sleep);
            }
        }
        self.look(true);
    }

    /// Whether it is time to look, rung or not.
    pub(super) fn is_due(&self, now: Duration) -> bool {
        nanoseconds(now) >= self.next_look.load(Ordering::Relaxed)
    }

    /// Sends what waits and takes in what has arrived, unless a thread is at it already. In a `hurry` parcels do not
    /// wait for more.
    pub(super) fn look(&self, hurry: bool) {
        match self.exchange.try_lock() {
            Ok(exchange) => self.look_with(exchange, hurry),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Poisoned(_)) => panic!("another thread broke off in the middle of a look"),
        }
    }

    fn look_with(&self, mut exchange: MutexGuard<'_, Exchange<'_>>, hurry: bool) {
        let exchange = &mut *exchange;
        let rung = self.is_rung();
        if let Some(bell) = self.bells[self.process] {
            self.heard.store(bell.load(Ordering::Acquire), Ordering::Relaxed);
        }
        exchange.deliver(self.mailboxes);
        let mut received = 0;
        while received < RECEIVED_PER_LOOK_MAX && exchange.receive(self) {
            received += 1;
        }
        self.complete(exchange);
        let all_sent = self.dispatch(exchange, hurry, |_| true);
        let is_lively = received > 0 || rung;
        exchange.pause = if is_lively { PAUSE_MIN } else { (exchange.pause * 2).min(self.pause_max) };
        let pause = if all_sent { exchange.pause } else { exchange.pause.min(HELD_MAX) };
        self.next_look.store(nanoseconds(self.began.elapsed() + pause), Ordering::Relaxed);
    }

    /// Takes back the parcels that have arrived.
    fn complete(&self, exchange: &mut Exchange<'_>) {
        let Exchange { wire, under_way, .. } = exchange;
        wire.complete(|done| {
            under_way[done.to] -= 1;
            self.outboxes().recycle(done.parcel);
        });
    }

    /// Sends what has waited long enough to these processes. Returns whether nothing is left for any of them.
    fn dispatch(&self, exchange: &mut Exchange<'_>, hurry: bool, wanted: impl Fn(usize) -> bool) -> bool {
        let Exchange { wire, under_way, .. } = exchange;
        let mut outboxes = self.outboxes();
        let ready = |process: usize| wanted(process) && under_way[process] < UNDER_WAY_MAX;
        for (process, parcel) in outboxes.ripe(self.began.elapsed(), hurry, ready) {
            wire.send(process, parcel);
            under_way[process] += 1;
            if let Some(bell) = self.bells[process] {
                bell.fetch_add(1, Ordering::Release);
            }
        }
        outboxes.is_empty()
    }

    /// Looks now and then until the run is over, so that mail travels even if all threads are busy.
    pub(super) fn watch(&self) {
        while !self.over.load(Ordering::Relaxed) {
            thread::park_timeout(WATCH_EVERY);
            if self.is_due(self.began.elapsed()) {
                self.look(true);
            }
        }
    }

    /// Ends the run, when all threads of this process have: what they sent is delivered, and mail is taken in, to be
    /// thrown away, until all processes have come to this point.
    pub(super) fn close(&self) {
        let idling = Idling::begin();
        let sent = || self.outboxes().is_empty() && self.exchange().wire.is_idle();
        while !sent() {
            self.look(true);
            idling.pause(thread::sleep);
        }
        let mut ending = self.exchange().wire.end();
        while !self.exchange().wire.everybody_has_ended(&mut ending) {
            self.look(true);
            idling.pause(thread::sleep);
        }
        self.over.store(true, Ordering::Relaxed);
    }

    fn outboxes(&self) -> MutexGuard<'_, Outboxes> {
        self.outboxes.lock().expect("nobody panics while parcels are filled")
    }

    fn exchange(&self) -> MutexGuard<'_, Exchange<'run>> {
        self.exchange.lock().expect("nobody panics while it looks")
    }
}

impl Exchange<'_> {
    /// Receives a parcel and hands out what is in it. Returns whether there was one.
    fn receive(&mut self, port: &Port<'_>) -> bool {
        if self.undelivered_count >= UNDELIVERED_MAX {
            return false;
        }
        let Some((process, parcel)) = self.wire.receive() else { return false };
        for frame in frames(parcel) {
            match frame {
                Frame::Message { to, from, bytes } => {
                    let event = Event::Message { from: port.id(process, from), bytes: bytes.to_vec() };
                    self.undelivered[to].push_back(event);
                    self.undelivered_count += 1;
                }
                Frame::Died { from } => {
                    for mailbox in &mut self.undelivered {
                        mailbox.push_back(Event::Died(port.id(process, from)));
                    }
                    self.undelivered_count += self.undelivered.len();
                }
            }
        }
        self.deliver(port.mailboxes);
        true
    }

    /// Fills mailboxes as far as there is room.
    fn deliver(&mut self, mailboxes: &[Sender<Event>]) {
        if self.undelivered_count == 0 {
            return;
        }
        for (mail, mailbox) in self.undelivered.iter_mut().zip(mailboxes) {
            while let Some(event) = mail.pop_front() {
                match mailbox.try_send(event) {
                    // A process that is gone needs no mail.
                    Ok(()) | Err(TrySendError::Disconnected(_)) => {}
                    Err(TrySendError::Full(event)) => {
                        mail.push_front(event);
                        break;
                    }
                }
            }
        }
        self.undelivered_count = self.undelivered.iter().map(VecDeque::len).sum();
    }
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64
}
