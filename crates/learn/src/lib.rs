//! `learn` finds the numbers of evaluations. [`numbers`] finds those that stand in the text of the rules and writes
//! others in their place; [`fitting`] says which others explain judged positions best; [`suggestions`] makes an
//! evaluation to begin with. [`training`] does the same for networks, [`policy`] for policies. It knows the notation
//! of rules, not how they run, and plays no games: positions come from its callers.

#![forbid(unsafe_code)]

pub mod fitting;
mod gradient;
pub mod numbers;
pub mod policy;
pub mod suggestions;
pub mod training;

pub use fitting::{Fit, Influence, Sample, fit};
pub use numbers::{Number, find, rewrite};
pub use suggestions::suggest;
pub use training::{Course, Trainer, TrainerError, expectation, scale};
