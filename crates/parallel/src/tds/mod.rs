//! Puzzles on several processors. Transposition-driven scheduling: every state has a home, and the processor that finds
//! it sends it there, so that what is known of a state is always at hand and none waits. Beside it, to be compared:
//! the same search by work stealing. The protocol is explained in README.md in this folder; start with [`Space`].

mod grain;
mod memory;
mod motion;
mod open;
mod post;
mod protocol;
mod record;
mod run;
mod settings;
mod space;
mod termination;
mod worker;

pub use memory::Memory;
pub use motion::Carrying;
#[cfg(feature = "mpi")]
pub use run::on_cluster;
pub use run::{Simulated, SimulationError, Task, Together, on_threads, simulated, simulated_unless, solve};
pub use settings::{Costs, Effort, Grain, Lost, Scheduling, Settings};
pub use space::{Child, Dive, Scout, Space, Start};
