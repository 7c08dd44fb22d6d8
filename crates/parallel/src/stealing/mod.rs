//! Work stealing: a search whose brothers are given to processors that ask. The protocol is explained in README.md in
//! this folder.

mod board;
mod busy;
mod crew;
mod exchange;
mod handling;
mod living;
mod named;
pub(crate) mod peers;
mod policy;
mod protocol;
mod run;
mod seeking;

pub(crate) use crew::Pace;
pub use policy::{Driver, Everybody, Policy, Preference, Victims, When};
pub(crate) use protocol::{Message, Ticket};
pub use run::{
    Laboratory, Simulated, SimulationError, TableKind, Tables, Task, Together, on_threads, simulated,
    simulated_with,
};
pub(crate) use run::{Share, Tools};

#[cfg(feature = "mpi")]
pub(crate) use {
    board::Board,
    busy::Busy,
    crew::Pause,
    peers::Meeting,
    run::{Gathered, work},
};
