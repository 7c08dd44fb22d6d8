//! Exhaustive search and branch-and-bound for problems that are not games, after DIB, the distributed implementation
//! of backtracking by Finkel and Manber (1987). A [`Problem`] says where it begins, what a piece of it
//! consists of, and how results are put together; it then runs on threads, virtual processors and the processes of
//! a cluster. Work of processors that die is done again by others.
//!
//! # How work is shared out
//!
//! A processor works on *jobs*: a piece of the problem that another one gave it, taken apart depth-first. One with
//! nothing to do asks another at random (`Request`) and gets the oldest piece there (`Work`, with a ticket) or
//! `Nothing`. A processor that gives a piece away keeps a copy until its result comes back (`Return`). A job whose
//! pieces are all done is returned; meanwhile its owner may ask for other work, so none waits. The processor with the
//! least number leads: its job is the whole problem, and when that is done it sends all home (`End`).
//!
//! All messages, states and races are in README.md in this folder.
//!
//! A better result is told to all at once (`Best`), with the result itself: who leaves out a piece because of it
//! can also vouch for it.
//!
//! # Dead processors
//!
//! All others hear of a death, after everything that the dead one has sent. Then
//!
//! - pieces that it had from us are put back: whatever it had done of them is done again;
//! - jobs that we did for it are dropped, and those who work for these are told (`Cancel`): the processor that gave the
//!   piece to the dead one does all of it again;
//! - the living processor with the least number leads; if it has not led so far it begins anew.
//!
//! Races, and why they are harmless:
//!
//! - *A return meets a cancel.* The ticket is forgotten on one side or the other; what arrives for it is ignored.
//! - *A result is returned, and its sender dies.* The return arrives before the death does, so it counts, and is
//!   not done again.
//! - *The best result comes from a processor that dies.* Its job is done again, and perhaps the very piece with the
//!   best result is left out, because all know it: it is in the hands of all who know it, and every return carries
//!   it.
//! - *Two leaders.* One that led is dead when another one does, and all that was done for it is dropped.

mod problem;
mod protocol;
mod run;
mod worker;

pub use problem::Problem;
#[cfg(feature = "mpi")]
pub use run::on_cluster;
pub use run::{Done, NobodyLeft, RunError, Simulated, on_threads, simulated};
