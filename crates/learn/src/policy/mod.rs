//! Learning a policy: from positions, how often a search has visited their moves, and how the games ended.
//! [`samples`] is what is learned from, [`trainer`] how.

mod gradient;
mod layers;
pub mod samples;
pub mod trainer;

pub use samples::{PolicySample, PolicySamples};
pub use trainer::{PolicyCourse, PolicyTrainer};

#[cfg(test)]
mod tests;
