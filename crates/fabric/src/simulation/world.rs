//! All that a simulated machine is at a moment: clocks, mailboxes, and who may run.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::PoisonError;
use std::time::Duration;

use corosensei::Yielder;
use rustc_hash::FxHashMap;

use super::network::Network;
use super::topology::{Routes, Topology};
use super::{Machine, Sleep, Sleeps, Stuck};
use crate::contract::{Event, Processor, ProcessorId};

/// What happens next.
pub(super) enum Next {
    /// This processor runs on.
    Run(ProcessorId),
    /// This processor is dead from now on.
    Kill(ProcessorId),
    /// None can run.
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Runs, or may run when its turn comes.
    Ready,
    /// Waits for mail, or for its hour.
    Waiting,
    Done,
    Dead,
}

/// Mail on its way, ordered by when it arrives, then by when it was sent.
#[derive(PartialEq, Eq, Debug)]
struct Mail {
    arrival: u64,
    number: u64,
    event: Event,
}

impl Ord for Mail {
    fn cmp(&self, other: &Mail) -> std::cmp::Ordering {
        (self.arrival, self.number).cmp(&(other.arrival, other.number))
    }
}

impl PartialOrd for Mail {
    fn partial_cmp(&self, other: &Mail) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

struct Seat {
    clock: u64,
    inbox: BinaryHeap<Reverse<Mail>>,
    state: State,
    /// Turns that were promised before this number are off.
    turn: u64,
    /// When its next turn comes; `u64::MAX` while that is not known.
    promised: u64,
    /// When the next message may leave.
    free: u64,
    slowness: u64,
}

pub(super) struct World {
    network: Network,
    topology: Topology,
    routes: Option<Routes>,
    seats: Vec<Seat>,
    /// Time that others took from each processor by sending messages through it, not yet on its clock. By itself,
    /// because every message changes it in many places: so it stays in the nearest cache.
    stolen: Vec<u64>,
    /// Which runs when: time, processor, number of the turn.
    turns: BinaryHeap<Reverse<(u64, u32, u64)>>,
    /// Deaths to come, the last one first.
    deaths: Vec<(u64, ProcessorId)>,
    delay: u64,
    random: fastrand::Rng,
    /// When the last message of a pair arrives: the next one is not earlier.
    last_arrival: FxHashMap<(u32, u32), u64>,
    number: u64,
    sleeps: Option<Sleeps>,
    digest: u64,
    bytes: u64,
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos().min(u128::from(u64::MAX / 4)) as u64
}

impl World {
    pub(super) fn new(machine: &Machine) -> World {
        let seat = |slowness| Seat {
            clock: 0,
            inbox: BinaryHeap::new(),
            state: State::Ready,
            turn: 0,
            promised: 0,
            free: 0,
            slowness,
        };
        let slowness = u64::from(machine.network.slowness.max(1));
        let mut seats: Vec<Seat> = (0..machine.processors).map(|_| seat(slowness)).collect();
        for &(id, times) in machine.faults.slow.iter().filter(|(id, _)| id.index() < machine.processors) {
            seats[id.index()].slowness *= u64::from(times.max(1));
        }
        let mut deaths: Vec<(u64, ProcessorId)> =
            machine.faults.deaths.iter().map(|&(id, time)| (nanoseconds(time), id)).collect();
        deaths.retain(|(_, id)| id.index() < machine.processors);
        deaths.sort_unstable_by_key(|&death| Reverse(death));
        World {
            network: machine.network,
            topology: machine.topology,
            routes: Routes::new(machine.topology, machine.processors),
            turns: (0..seats.len() as u32).map(|id| Reverse((0, id, 0))).collect(),
            stolen: vec![0; seats.len()],
            seats,
            deaths,
            delay: u64::from(machine.faults.delay),
            random: fastrand::Rng::with_seed(machine.seed),
            last_arrival: FxHashMap::default(),
            number: 0,
            digest: 0xcbf2_9ce4_8422_2325,
            sleeps: machine.sleeps.clone(),
            bytes: 0,
        }
    }

    /// Which runs next. Its clock is set to the time that it was promised.
    pub(super) fn next(&mut self) -> Next {
        while let Some(&Reverse((time, id, turn))) = self.turns.peek() {
            let (id, seat) = (ProcessorId(id), &self.seats[id as usize]);
            if seat.turn != turn || matches!(seat.state, State::Done | State::Dead) {
                self.turns.pop();
                continue;
            }
            if let Some(&(when, victim)) = self.deaths.last()
                && when <= time
            {
                self.deaths.pop();
                if matches!(self.seats[victim.index()].state, State::Done | State::Dead) {
                    continue;
                }
                self.seats[victim.index()].clock = when.max(self.seats[victim.index()].clock);
                self.kill(victim);
                return Next::Kill(victim);
            }
            self.turns.pop();
            let seat = &mut self.seats[id.index()];
            seat.clock = seat.clock.max(time);
            seat.state = State::Ready;
            seat.turn += 1;
            seat.promised = u64::MAX;
            return Next::Run(id);
        }
        Next::Nothing
    }

    pub(super) fn finish(&mut self, id: ProcessorId) {
        if self.seats[id.index()].state != State::Dead {
            self.seats[id.index()].state = State::Done;
        }
        self.seats[id.index()].inbox.clear();
    }

    /// A processor has slept since then.
    fn note_sleep(&self, processor: ProcessorId, from: u64) {
        let Some(sleeps) = &self.sleeps else { return };
        let to = self.seats[processor.index()].clock;
        if to > from {
            let (from, to) = (Duration::from_nanos(from), Duration::from_nanos(to));
            sleeps.lock().unwrap_or_else(PoisonError::into_inner).push(Sleep { processor, from, to });
        }
    }

    pub(super) fn is_dead(&self, id: ProcessorId) -> bool {
        self.seats[id.index()].state == State::Dead
    }

    /// A processor dies; the others hear of it.
    pub(super) fn kill(&mut self, id: ProcessorId) {
        self.seats[id.index()].state = State::Dead;
        self.seats[id.index()].inbox.clear();
        let time = self.seats[id.index()].clock + self.network.latency_ns;
        for other in (0..self.seats.len() as u32).map(ProcessorId).filter(|&other| other != id) {
            self.deliver(id, other, time, Event::Died(id));
        }
    }

    /// Nothing more happens. Says who still waits: they are dead now.
    pub(super) fn end(&mut self) -> Option<Stuck> {
        let waits = |seat: &Seat| matches!(seat.state, State::Ready | State::Waiting);
        let first = self.seats.iter().position(waits)?;
        let waiting = self.seats.iter().filter(|seat| waits(seat)).count();
        self.seats.iter_mut().filter(|seat| waits(seat)).for_each(|seat| seat.state = State::Dead);
        Some(Stuck { waiting, processors: self.seats.len(), first: ProcessorId(first as u32) })
    }

    pub(super) fn latest(&self) -> u64 {
        self.seats.iter().map(|seat| seat.clock).max().unwrap_or(0)
    }

    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    pub(super) fn messages(&self) -> u64 {
        self.number
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Puts the time on the clock that others took.
    fn settle(&mut self, id: ProcessorId) -> u64 {
        let seat = &mut self.seats[id.index()];
        seat.clock += std::mem::take(&mut self.stolen[id.index()]);
        seat.clock
    }

    /// Whether another processor is behind this one's clock and comes first, or the hour of one has come: perhaps
    /// its own.
    fn must_give_way(&self, id: ProcessorId) -> bool {
        let own = (self.seats[id.index()].clock, id.0);
        self.deaths.last().is_some_and(|&(when, _)| when <= own.0)
            || self.turns.peek().is_some_and(|&Reverse((time, other, _))| (time, other) < own)
    }

    fn promise(&mut self, id: ProcessorId, time: u64) {
        let seat = &mut self.seats[id.index()];
        seat.turn += 1;
        seat.promised = time;
        self.turns.push(Reverse((time, id.0, seat.turn)));
    }

    /// Makes the processors on the way pay; returns the number of wires.
    fn route(&mut self, from: ProcessorId, to: ProcessorId, bytes: usize) -> u32 {
        let cost = self.network.routing_cost_ns(bytes);
        let (routes, stolen) = (&mut self.routes, &mut self.stolen);
        routes.as_mut().map_or(1, |routes| routes.walk(from, to, |between| stolen[between] += cost))
    }

    fn random_delay(&mut self) -> u64 {
        if self.delay == 0 { 0 } else { self.random.u64(..=self.delay * self.network.latency_ns) }
    }

    fn send(&mut self, from: ProcessorId, to: ProcessorId, bytes: Vec<u8>) {
        self.bytes += bytes.len() as u64;
        let now = self.settle(from);
        let arrival = if from == to {
            now
        } else {
            let wires = self.route(from, to, bytes.len());
            let network = &self.network;
            let seat = &mut self.seats[from.index()];
            seat.clock += network.overhead_ns;
            let leaves = seat.clock.max(seat.free);
            seat.free = leaves + network.gap_ns + bytes.len() as u64 * network.byte_ps / 1000;
            leaves + network.travel_ns(bytes.len(), wires) + self.random_delay()
        };
        self.deliver(from, to, arrival, Event::Message { from, bytes });
    }

    fn deliver(&mut self, from: ProcessorId, to: ProcessorId, arrival: u64, event: Event) {
        let last = self.last_arrival.entry((from.0, to.0)).or_default();
        let arrival = arrival.max(*last);
        *last = arrival;
        self.number += 1;
        let content = match &event {
            Event::Message { bytes, .. } => bytes.iter().fold(7, |sum, &byte| mix(sum, u64::from(byte))),
            Event::Died(_) => 1,
        };
        for word in [arrival, u64::from(from.0) << 32 | u64::from(to.0), content] {
            self.digest = mix(self.digest, word);
        }
        let seat = &mut self.seats[to.index()];
        if matches!(seat.state, State::Done | State::Dead) {
            return;
        }
        seat.inbox.push(Reverse(Mail { arrival, number: self.number, event }));
        if seat.state == State::Waiting && seat.clock.max(arrival) < seat.promised {
            let time = seat.clock.max(arrival);
            self.promise(to, time);
        }
    }

    fn reach(&mut self, from: ProcessorId, owner: ProcessorId, request: usize, answer: usize) -> u64 {
        let now = self.settle(from);
        if from == owner {
            return now;
        }
        let there = self.route(from, owner, request);
        let back = self.route(owner, from, answer);
        let network = self.network;
        self.stolen[owner.index()] += network.service_ns;
        let seat = &mut self.seats[from.index()];
        seat.clock += network.overhead_ns;
        let leaves = seat.clock.max(seat.free);
        seat.free = leaves + network.gap_ns;
        let travel = network.travel_ns(request, there) + network.travel_ns(answer, back);
        leaves + travel + network.service_ns + self.random_delay()
    }
}

fn mix(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

/// A processor as its program sees it.
pub(super) struct VirtualProcessor<'run> {
    pub(super) id: ProcessorId,
    pub(super) world: &'run RefCell<World>,
    pub(super) yielder: &'run Yielder<(), ()>,
}

impl VirtualProcessor<'_> {
    /// Lets those run whose clocks are behind.
    fn give_way(&self) {
        let mut world = self.world.borrow_mut();
        let now = world.settle(self.id);
        if world.must_give_way(self.id) {
            world.promise(self.id, now);
            drop(world);
            self.yielder.suspend(());
        }
    }
}

impl Processor for VirtualProcessor<'_> {
    fn id(&self) -> ProcessorId {
        self.id
    }

    fn processors(&self) -> usize {
        self.world.borrow().seats.len()
    }

    fn send(&self, to: ProcessorId, bytes: Vec<u8>) {
        self.world.borrow_mut().send(self.id, to, bytes);
    }

    fn poll(&self) -> Option<Event> {
        self.give_way();
        let mut world = self.world.borrow_mut();
        let overhead = world.network.overhead_ns;
        let seat = &mut world.seats[self.id.index()];
        let arrived = seat.inbox.peek().is_some_and(|Reverse(mail)| mail.arrival <= seat.clock);
        let Reverse(mail) = if arrived { seat.inbox.pop()? } else { return None };
        if !matches!(&mail.event, Event::Message { from, .. } if *from == self.id) {
            seat.clock += overhead;
        }
        Some(mail.event)
    }

    fn wait(&self, until: Option<Duration>) {
        let mut world = self.world.borrow_mut();
        let now = world.settle(self.id);
        let seat = &mut world.seats[self.id.index()];
        let first = seat.inbox.peek().map_or(u64::MAX, |Reverse(mail)| mail.arrival);
        let wake = first.min(until.map_or(u64::MAX, nanoseconds));
        seat.state = State::Waiting;
        seat.promised = u64::MAX;
        if wake < u64::MAX {
            world.promise(self.id, wake.max(now));
        }
        drop(world);
        self.yielder.suspend(());
        self.world.borrow_mut().note_sleep(self.id, now);
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.world.borrow_mut().settle(self.id))
    }

    fn charge(&self, work: Duration) {
        let mut world = self.world.borrow_mut();
        let seat = &mut world.seats[self.id.index()];
        seat.clock += nanoseconds(work) * seat.slowness;
    }

    fn reach(&self, owner: ProcessorId, request: usize, answer: usize) -> Duration {
        Duration::from_nanos(self.world.borrow_mut().reach(self.id, owner, request, answer))
    }

    fn pass(&self, until: Duration) {
        let mut world = self.world.borrow_mut();
        let now = world.settle(self.id);
        world.seats[self.id.index()].clock = now.max(nanoseconds(until));
    }

    fn neighbours(&self) -> Vec<ProcessorId> {
        let world = self.world.borrow();
        let count = world.seats.len();
        match world.topology {
            Topology::Full => (0..count as u32).map(ProcessorId).filter(|&other| other != self.id).collect(),
            topology => topology.neighbours(self.id, count),
        }
    }
}
