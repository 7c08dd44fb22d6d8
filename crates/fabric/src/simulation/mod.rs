//! Virtual processors: coroutines of one thread, in virtual time. Time passes by what processors [charge] and by what
//! messages cost; the processor whose clock is behind all others runs next, so none ever sees a message from its
//! future.
//!
//! A processor that polls gives way to those whose clocks are behind its own. Between two polls it runs undisturbed,
//! so what it does there should be short in virtual time: a node, not a search.
//!
//! [charge]: crate::Processor::charge

mod faults;
mod network;
mod topology;
mod world;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use corosensei::stack::{DefaultStack, Stack as _};
use corosensei::{Coroutine, CoroutineResult};

use crate::contract::{Processor, ProcessorId};
use world::{VirtualProcessor, World};

pub use faults::{Disturbances, Faults};
pub use network::Network;
pub use topology::Topology;

/// The most processors of a machine.
pub const PROCESSORS_MAX: usize = 4096;

/// A virtual machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// How many processors it has.
    pub processors: usize,
    /// What messages cost.
    pub network: Network,
    /// Which processors are wired to which.
    pub topology: Topology,
    /// What goes wrong.
    pub faults: Faults,
    /// Where random numbers begin.
    pub seed: u64,
    /// The stack of each processor; only what is used takes memory.
    pub stack_bytes: usize,
    /// Called whenever another stack is run on, with the lowest address that may be used; `None` for the thread's
    /// own. For programs that look after their stacks themselves.
    pub on_switch: fn(Option<usize>),
    /// Where it is written down when processors sleep, if that is wanted.
    pub sleeps: Option<Sleeps>,
}

/// A processor had nothing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sleep {
    /// Which one.
    pub processor: ProcessorId,
    /// Since when.
    pub from: Duration,
    /// Until when.
    pub to: Duration,
}

/// What all processors slept, in the order in which they woke up.
pub type Sleeps = Arc<Mutex<Vec<Sleep>>>;

/// What came out of a run.
#[derive(Debug)]
pub struct Outcome<R> {
    /// What the program returned on each processor; `None` where it died.
    pub results: Vec<Option<R>>,
    /// When the last processor was done.
    pub time: Duration,
    /// A fingerprint of all messages with their times: the same for the same program, machine and seed.
    pub trace: u64,
    /// Messages that were sent.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// All processors wait, and nothing is on its way.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "all processors wait for messages that never come: {waiting} of {processors} are not done, the first is {first}"
)]
pub struct Stuck {
    /// How many wait.
    pub waiting: usize,
    /// Of so many.
    pub processors: usize,
    /// One of them.
    pub first: ProcessorId,
}

type Task<'run, R> = Coroutine<(), (), Option<R>>;

impl Machine {
    /// A machine of so many processors that share memory, without faults.
    #[must_use]
    pub fn new(processors: usize) -> Machine {
        Machine::with_network(processors, Network::SHARED)
    }

    /// A machine of so many processors with this network.
    #[must_use]
    pub fn with_network(processors: usize, network: Network) -> Machine {
        Machine {
            processors: processors.clamp(1, PROCESSORS_MAX),
            network,
            topology: network.topology,
            faults: Faults::default(),
            seed: 1,
            stack_bytes: 4 << 20,
            on_switch: |_| {},
            sleeps: None,
        }
    }

    /// Runs a program on all processors until it has returned on each, or the processor died. A panic of the program
    /// is a death that the others hear of.
    ///
    /// # Errors
    /// When all processors wait for each other.
    ///
    /// # Panics
    /// When the system has no memory for stacks.
    pub fn run<R>(&self, program: &dyn Fn(&dyn Processor) -> R) -> Result<Outcome<R>, Stuck> {
        let world = RefCell::new(World::new(self));
        let mut results: Vec<Option<R>> = (0..self.processors).map(|_| None).collect();
        // The coroutines borrow `world` and `program`; they are dropped before either, at the end of this block.
        let stuck = {
            let mut tasks: Vec<Option<(Task<'_, R>, usize)>> =
                (0..self.processors).map(|number| Some(self.task(number, &world, program))).collect();
            self.schedule(&world, &mut tasks, &mut results);
            (self.on_switch)(None);
            world.borrow_mut().end()
        };
        let world = world.into_inner();
        match stuck {
            Some(stuck) => Err(stuck),
            None => Ok(Outcome {
                results,
                time: Duration::from_nanos(world.latest()),
                trace: world.digest(),
                messages: world.messages(),
                bytes: world.bytes(),
            }),
        }
    }

    fn task<'run, R>(
        &self,
        number: usize,
        world: &'run RefCell<World>,
        program: &'run dyn Fn(&dyn Processor) -> R,
    ) -> (Task<'run, R>, usize) {
        let stack = DefaultStack::new(self.stack_bytes).expect("the system has memory for a stack");
        let limit = stack.limit().get();
        let id = ProcessorId(number as u32);
        let body = move |yielder: &corosensei::Yielder<(), ()>, ()| {
            let here = VirtualProcessor { id, world, yielder };
            match catch_unwind(AssertUnwindSafe(|| program(&here))) {
                Ok(result) => Some(result),
                // A processor that is killed has to be unwound to the end.
                Err(panic) if world.borrow().is_dead(id) => resume_unwind(panic),
                Err(_) => {
                    world.borrow_mut().kill(id);
                    None
                }
            }
        };
        // SAFETY: the coroutine borrows `world` and `program`, which outlive it: `run` drops all tasks before they
        // go, and nothing else keeps one.
        (unsafe { Coroutine::with_stack_unchecked(stack, body) }, limit)
    }

    /// Runs the processor that is behind all others, again and again.
    fn schedule<R>(
        &self,
        world: &RefCell<World>,
        tasks: &mut [Option<(Task<'_, R>, usize)>],
        results: &mut [Option<R>],
    ) {
        loop {
            let next = world.borrow_mut().next();
            match next {
                world::Next::Run(id) => {
                    let Some((task, limit)) = &mut tasks[id.index()] else { continue };
                    (self.on_switch)(Some(*limit));
                    if let CoroutineResult::Return(result) = task.resume(()) {
                        results[id.index()] = result;
                        tasks[id.index()] = None;
                        world.borrow_mut().finish(id);
                    }
                }
                // What the processor had on its stack is dropped with it.
                world::Next::Kill(id) => tasks[id.index()] = None,
                world::Next::Nothing => return,
            }
        }
    }
}

#[cfg(test)]
mod tests;
