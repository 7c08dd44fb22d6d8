//! `learn` fits the numbers that stand in an evaluation to positions whose worth is known. [`numbers`] finds them in the
//! text of the rules and writes others in their place; [`fitting`] says which others explain the positions best. It knows
//! the notation of rules, not how they run: what a number does to a position is found out by whoever can evaluate.

#![forbid(unsafe_code)]

pub mod fitting;
pub mod numbers;

pub use fitting::{Fit, Influence, Sample, fit};
pub use numbers::{Number, find, rewrite};
