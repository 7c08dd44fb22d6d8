//! `parallel` runs the searches of the room `search` on several processors. It knows neither which game it serves nor
//! who asks, nor what kind of processors they are.
//!
//! - [`lazy_smp`]: threads that search the same root on one table.
//! - [`stealing`]: one search whose brothers are given to processors that ask: Young Brothers Wait, Jamboree and their
//!   relatives, on threads, on virtual processors and on the processes of a cluster.
//! - [`central`]: searches that a leader gives out: parallel aspiration, UIDPABS, APHID, ER and SSS\*.
//! - [`tds`]: puzzles whose states are sent to the processors that know of them, and the same by work stealing.
//! - [`tdsab`]: the same idea for two players, with null windows.
//! - [`dib`]: exhaustive search and branch-and-bound for problems that are not games; work of the dead is done again.

#![forbid(unsafe_code)]

mod again;
pub mod asking;
pub mod central;
#[cfg(feature = "mpi")]
pub mod cluster;
pub mod dib;
pub mod habits;
#[cfg(feature = "mpi")]
mod host_table;
#[cfg(any(feature = "mpi", test))]
mod keeping;
pub mod lazy_smp;
pub mod measures;
mod meter;
pub mod method;
mod monte_carlo;
pub mod processes;
mod proof;
pub mod stealing;
pub mod tables;
pub mod tds;
pub mod tdsab;
pub mod teamwork;
pub mod timeline;
pub mod tree;
mod wire;

pub use habits::{Habit, Habits};
pub use lazy_smp::{THREADS_MAX, uses_threads};
pub use measures::{Activity, Measures};
pub use method::{Method, Sharing, search, search_keeping};
pub use teamwork::{Ledger, Teamwork};
pub use timeline::{Interval, Timeline};
