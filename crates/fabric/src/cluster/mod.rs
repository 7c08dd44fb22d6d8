//! Processes that `mpirun` started, on one host or on many, with one or several threads each. Threads of a process
//! exchange messages through mailboxes, as in [`threads`](crate::threads); processes through MPI. Small messages to
//! one process are combined. Processes of a host can share memory ([`Shared`]).
//!
//! ```text
//!   threads of process 0        port                      port        threads of process 1
//!   send ── to a neighbour ──► mailbox
//!   send ── to another ──────► outbox ─► parcel ═ MPI ═► frames ─► mailbox ──► poll, wait
//! ```
//!
//! A thread that panics is a dead processor, and all others hear of it. A process that dies ends the job: MPI knows
//! no other way. Start with [`Cluster`]; the hard part is `port.rs`, and `README.md` beside it.

mod frames;
mod idling;
mod outbox;
mod port;
mod processor;
mod shared;
mod wire;

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::Duration;

use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::{Color, Communicator, SimpleCommunicator};
use mpi::traits::{CommunicatorCollectives, Root};

use crate::contract::Processor;
use crate::mailbox::mailboxes;
use crate::team;
use port::Port;
use processor::ClusterProcessor;
use shared::Window;
pub use shared::{ShareError, Shared};
use wire::Wire;

/// Words that each process brings for its bell: enough for a line of memory that no other process writes to.
const BELL_WORDS: usize = 16;

/// A process that rests looks so often whether the others have come.
const NAP: Duration = Duration::from_micros(200);

/// Why a process cannot take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JoinError {
    /// MPI can be initialised once in the life of a process.
    #[error("this process has taken part in a cluster already")]
    JoinedAlready,
    /// Messages are sent by whichever thread is at hand.
    #[error("this MPI library does not let several threads call it in turn (MPI_THREAD_SERIALIZED)")]
    NoThreads,
}

/// All processes that were started together, seen from one of them. There is one in the life of a process, and it
/// stays in the thread that made it. What is said to be called together has to be called by all processes, in the
/// same order.
///
/// Dropping it waits until all processes have come to that; if the thread panics, all processes are ended instead.
pub struct Cluster {
    /// A word of each process of the host; see `port.rs`. Freed before all else.
    bells: Option<Window>,
    /// The processes of this host.
    host: SimpleCommunicator,
    world: SimpleCommunicator,
    /// The number of each process's host.
    hosts: Vec<usize>,
    /// Finalises MPI when the last one is dropped, so it comes last.
    universe: Rc<Universe>,
    /// Calls of MPI come from one thread.
    _stays: PhantomData<*const ()>,
}

impl Cluster {
    /// Takes part. A process that was not started by `mpirun` is a cluster by itself. Called together.
    pub fn join() -> Result<Self, JoinError> {
        let (universe, threading) =
            mpi::initialize_with_threading(Threading::Serialized).ok_or(JoinError::JoinedAlready)?;
        if threading < Threading::Serialized {
            return Err(JoinError::NoThreads);
        }
        let world = universe.world().duplicate();
        Ok(Self::of(world, Rc::new(universe)))
    }

    /// The processes of a communicator. Called together.
    fn of(world: SimpleCommunicator, universe: Rc<Universe>) -> Self {
        let host = world.split_shared(world.rank());
        let mut eldest = world.rank();
        host.process_at_rank(0).broadcast_into(&mut eldest);
        let mut eldest_of_each = vec![0_i32; world.size() as usize];
        world.all_gather_into(&eldest, &mut eldest_of_each[..]);
        let hosts = number_hosts(&eldest_of_each);
        let mut cluster = Self { bells: None, host, world, hosts, universe, _stays: PhantomData };
        if cluster.processes() > 1 {
            // Without bells processes look for mail more often.
            cluster.bells = Window::new(&cluster, BELL_WORDS).ok();
        }
        cluster
    }

    /// The first so many processes as a cluster of their own; `None` in all others. It is dropped together, before
    /// this one. Called together.
    #[must_use = "the first processes have to drop it together"]
    pub fn part(&self, processes: usize) -> Option<Self> {
        let belongs = self.process() < processes;
        let color = if belongs { Color::with_value(0) } else { Color::undefined() };
        let world = self.world.split_by_color_with_key(color, self.world.rank())?;
        Some(Self::of(world, Rc::clone(&self.universe)))
    }

    /// Waits until all processes have come here. Those that come early sleep, and leave their cores to the others.
    /// Called together.
    pub fn rest(&self) {
        let mut barrier = self.world.immediate_barrier();
        while let Err(still_open) = barrier.test() {
            barrier = still_open;
            thread::sleep(NAP);
        }
    }

    /// The bell of each process of this host, by process.
    fn bells(&self) -> Vec<Option<&AtomicU64>> {
        match &self.bells {
            Some(window) => window.segments().iter().map(|segment| segment.and_then(<[_]>::first)).collect(),
            None => vec![None; self.processes()],
        }
    }

    /// The number of this process, from 0.
    #[must_use]
    pub fn process(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many processes there are.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.hosts.len()
    }

    /// The number of the host of each process; hosts are numbered from 0, in the order of their first processes.
    #[must_use]
    pub fn hosts(&self) -> &[usize] {
        &self.hosts
    }

    fn shares_host(&self, process: usize) -> bool {
        self.hosts[process] == self.hosts[self.process()]
    }

    /// Whether all processes say yes, such as: what I need is there. Called together.
    #[must_use = "the answer is that of all processes"]
    pub fn agree(&self, yes: bool) -> bool {
        let mut all = true;
        self.world.all_reduce_into(&yes, &mut all, SystemOperation::logical_and());
        all
    }

    /// Runs a program on so many threads of every process and returns what it returned on those of this process;
    /// `None` where it panicked, which all others hear of as [`Event::Died`](crate::Event::Died). Thread *t* of
    /// process *p* is processor *p* × threads + *t*. Thread 0 is the calling thread. Where processes ask for
    /// different numbers of threads, all take the smallest. Called together; returns when all processes have ended.
    pub fn run<R: Send>(
        &self,
        threads: usize,
        stack_bytes: usize,
        program: &(dyn Fn(&dyn Processor) -> R + Sync),
    ) -> Vec<Option<R>> {
        self.run_led(threads, stack_bytes, program, program)
    }

    /// The same with a program of its own for thread 0 of this process.
    pub fn run_led<R: Send>(
        &self,
        threads: usize,
        stack_bytes: usize,
        first_program: impl FnOnce(&dyn Processor) -> R,
        program: &(dyn Fn(&dyn Processor) -> R + Sync),
    ) -> Vec<Option<R>> {
        let (senders, mailboxes) = mailboxes(self.threads(threads));
        let port = &Port::new(Wire::new(&self.world), self.process(), self.bells(), &senders);
        let seats = mailboxes
            .into_iter()
            .enumerate()
            .map(|(number, mailbox)| ClusterProcessor::new(port.id(self.process(), number), mailbox, port));
        thread::scope(|scope| {
            // Without a watchman mail travels too, when a thread polls.
            let watchman =
                thread::Builder::new().name("watchman".into()).spawn_scoped(scope, || port.watch());
            let results = team::run(seats, stack_bytes, first_program, program, |id| port.announce_death(id));
            port.close();
            if let Ok(watchman) = watchman {
                watchman.thread().unpark();
            }
            results
        })
    }

    /// Shares memory between the processes of each host: so many words of this process, which begin as 0. Called
    /// together.
    pub fn share(self: &Rc<Self>, words: usize) -> Result<Shared, ShareError> {
        Shared::new(self, words)
    }

    /// The sum of the numbers of all processes. Called together.
    #[must_use = "the sum is that of all processes"]
    pub fn sum(&self, number: u64) -> u64 {
        let mut sum = 0_u64;
        self.world.all_reduce_into(&number, &mut sum, SystemOperation::sum());
        sum
    }

    /// The sums of such numbers, place by place. All processes give as many. Called together.
    #[must_use = "the sums are those of all processes"]
    pub fn sums(&self, numbers: &[u64]) -> Vec<u64> {
        let mut sums = vec![0_u64; numbers.len()];
        self.world.all_reduce_into(numbers, &mut sums[..], SystemOperation::sum());
        sums
    }

    /// How many threads each process has if this one is to have so many: all have as many. Called together.
    #[must_use = "it may be less"]
    pub fn threads(&self, wanted: usize) -> usize {
        self.smallest(wanted.clamp(1, frames::THREADS_MAX))
    }

    fn smallest(&self, number: usize) -> usize {
        // Of the same type as what is sent: the crate does not compare them.
        let mut smallest = 0_u64;
        self.world.all_reduce_into(&(number as u64), &mut smallest, SystemOperation::min());
        smallest as usize
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if thread::panicking() {
            // The others wait for this process and would wait for ever.
            self.world.abort(101);
        }
    }
}

/// Numbers hosts in the order of their first processes, given the eldest process of each one's host.
fn number_hosts(eldest_of_each: &[i32]) -> Vec<usize> {
    let mut eldest: Vec<_> = eldest_of_each.to_vec();
    eldest.sort_unstable();
    eldest.dedup();
    eldest_of_each.iter().map(|of_this| eldest.partition_point(|other| other < of_this)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_numbered_in_the_order_of_their_first_processes() {
        assert_eq!(number_hosts(&[0, 0, 0]), [0, 0, 0]);
        assert_eq!(number_hosts(&[0, 1, 0, 1, 4]), [0, 1, 0, 1, 2]);
    }
}
