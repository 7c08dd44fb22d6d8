//! Tables for puzzles with one mode whose pieces twist: cubes. What is kept of a state is not *which* piece lies
//! where but how each place's piece is twisted, and which places hold the pieces of one block. Such a state of things
//! is a *coset*; far more of a cube goes into it than into some pieces alone, and symmetries make its table smaller
//! by what they are many: Kociemba's and Reid's idea (1995), found here from the moves.
//!
//! [`choose`] finds which twists and blocks go well together, [`frame`] numbers cosets up to symmetry, [`build`]
//! makes the table, [`bounds`] asks it, from all sides and of the inverse state too.

pub mod bounds;
pub mod build;
pub mod choose;
pub mod coordinate;
pub mod file;
pub mod frame;

pub use bounds::Cosets;
pub use build::{Growing, verify};
pub use choose::CosetPlan;
pub use frame::Frame;
