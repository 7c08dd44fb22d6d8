//! Work stealing: a search whose brothers are given to whoever asks. The protocol is explained in README.md in this folder.

mod crew;
mod policy;
mod protocol;
mod run;

pub use policy::{Policy, Victims, When};
pub(crate) use protocol::Message;
pub use run::{Laboratory, Simulated, SimulationError, TableKind, Task, Together, on_threads, simulated};
