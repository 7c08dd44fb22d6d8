//! A policy says which move looks best, and who is going to win: what Monte Carlo search is led by. Like a
//! [`Network`](crate::Network) it is made of whole numbers and says the same on every machine.
//!
//! ```text
//! slots of a position ─ Eyes ─► what stands on each field, seen from the mover's side
//!   ─ first layer: five by five fields around each ─► `channels` numbers for each field
//!   ─ layers: three by three fields and the mean of the board, added to what was there ─► … ─► the last numbers
//!   ─ for each field and each thing that could come to stand there ─► how good that would be
//!   ─ four numbers for each field ─ dense layer ─► one number: the expected result
//! ```
//!
//! A move is what it changes, so its worth is the sum over its changes of what comes to stand on which field; a
//! softmax over the legal moves makes shares of that. Weights are the same all over the board, so that what was
//! learned in one place holds in others. Start with [`Eyes`], then [`MovePolicy`].

mod exponent;
mod eyes;
mod file;
mod kernel;
mod numbers;
mod shape;
mod thought;

pub use eyes::{Exchange, Eyes, Seen};
pub use file::{PolicyError, VERSION};
pub use numbers::PolicyParameters;
pub use shape::PolicyShape;
pub use thought::MovePolicy;

/// Fields around a field that the first layer sees, itself included: five by five.
pub const AROUND: usize = 25;
/// Fields around a field that later layers see: three by three.
pub const NEAR: usize = 9;
