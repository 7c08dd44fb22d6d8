//! `fabric` gives a program processors that exchange messages. It knows who a processor is, how many there are, how
//! messages travel and what time it is; it does not know what a message means. A program is written once for
//! [`Processor`] and runs
//!
//! - on [`threads`]: one processor a thread of this machine;
//! - on a cluster (feature `mpi`): the threads of all processes that `mpirun` started, on one host or on many;
//! - on a [`simulation`]: any number of virtual processors as coroutines of one thread, in virtual time, with a network
//!   whose costs and faults are data. The same seed gives the same run, to the byte.
//!
//! All threads and stacks of parallel programs are made here. Start with [`contract`].
//!
//! ```
//! use fabric::{Event, Processor, ProcessorId};
//!
//! // All send their numbers to processor 0, which adds them up.
//! let sum = |here: &dyn Processor| {
//!     here.send(ProcessorId(0), vec![here.id().0 as u8]);
//!     let mut sum = 0;
//!     let expected = if here.id() == ProcessorId(0) { here.processors() } else { 0 };
//!     for _ in 0..expected {
//!         let Event::Message { bytes, .. } = here.receive() else { panic!("nobody dies here") };
//!         sum += u32::from(bytes[0]);
//!     }
//!     sum
//! };
//! assert_eq!(fabric::threads::run(4, 1 << 20, &sum)[0], Some(6));
//! let machine = fabric::simulation::Machine::new(4);
//! assert_eq!(machine.run(&sum).unwrap().results[0], Some(6));
//! ```

#[cfg(feature = "mpi")]
pub mod cluster;
pub mod contract;
pub mod launch;
mod mailbox;
pub mod simulation;
mod team;
pub mod threads;

pub use contract::{Event, Processor, ProcessorId};
