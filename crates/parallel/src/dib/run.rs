//! A problem on all processors of a fabric.

use std::time::Duration;

use fabric::simulation::{Machine, Stuck};
use fabric::{Processor, threads};

use super::problem::Problem;
use super::worker::{Pace, Share, Worker};

const STACK_BYTES: usize = 4 << 20;

/// For real processors.
const PACE: Pace = Pace {
    cost: Duration::ZERO,
    interval: 16,
    pauses: (Duration::from_micros(5), Duration::from_micros(300)),
};

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done<O> {
    /// What the problem comes to.
    pub outcome: O,
    /// Pieces that each processor took apart; `None` for those that died.
    pub pieces: Vec<Option<u64>>,
}

/// All processors died.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("all processors died")]
pub struct NobodyLeft;

/// Why a virtual machine has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// All processors died.
    #[error("{0}")]
    NobodyLeft(#[from] NobodyLeft),
    /// All processors waited for each other.
    #[error("{0}")]
    Stuck(#[from] Stuck),
}

/// What came of a problem on a virtual machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Simulated<O> {
    /// The answer.
    pub done: Done<O>,
    /// How long it took there.
    pub time: Duration,
    /// A fingerprint of all messages.
    pub trace: u64,
}

/// Solves a problem on so many threads. A thread that panics is a dead processor: the others do its work.
///
/// # Errors
/// When all threads have panicked.
pub fn on_threads<P: Problem<Outcome: Send>>(
    problem: &P,
    count: usize,
) -> Result<Done<P::Outcome>, NobodyLeft> {
    let program = |here: &dyn Processor| Worker::new(here, problem, PACE).run();
    gather(threads::run(count, STACK_BYTES, &program))
}

/// Solves a problem on a virtual machine, where a piece costs so much.
///
/// # Errors
/// When all processors die.
pub fn simulated<P: Problem>(
    problem: &P,
    machine: &Machine,
    cost: Duration,
) -> Result<Simulated<P::Outcome>, RunError> {
    let least = (cost * machine.network.slowness).max(Duration::from_nanos(machine.network.latency_ns));
    let pace = Pace { cost, interval: 1, pauses: (least, 16 * least) };
    let outcome = machine.run(&|here: &dyn Processor| Worker::new(here, problem, pace).run())?;
    Ok(Simulated { done: gather(outcome.results)?, time: outcome.time, trace: outcome.trace })
}

/// Solves a problem on so many threads of every process that `mpirun` started, after
/// [`cluster::join`](crate::cluster::join). Process 0 gets the answer, the others `None`. Called together.
///
/// # Errors
/// When all threads of process 0 have panicked.
#[cfg(feature = "mpi")]
pub fn on_cluster<P: Problem<Outcome: Send>>(
    problem: &P,
    count: usize,
) -> Result<Option<Done<P::Outcome>>, NobodyLeft> {
    let Some(cluster) = crate::cluster::joined() else { return on_threads(problem, count).map(Some) };
    let program = |here: &dyn Processor| Worker::new(here, problem, PACE).run();
    let shares = cluster.run(count, STACK_BYTES, &program);
    if cluster.process() == 0 { gather(shares).map(Some) } else { Ok(None) }
}

fn gather<O>(shares: Vec<Option<Share<O>>>) -> Result<Done<O>, NobodyLeft> {
    let mut outcome = None;
    let mut pieces = Vec::new();
    for share in shares {
        pieces.push(share.as_ref().map(|share| share.pieces));
        outcome = outcome.or(share.and_then(|share| share.outcome));
    }
    outcome.map(|outcome| Done { outcome, pieces }).ok_or(NobodyLeft)
}
