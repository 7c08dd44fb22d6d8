//! Experiments: what a TOML file asks for, run by run, and what comes out. [`Plan`] is the file, [`results`] what is
//! known already, [`runner`] finds out the rest, [`summary`] and [`report`] say what it means.

mod effects;
mod file;
pub mod names;
pub mod picture;
pub mod plan;
mod possible;
pub mod report;
pub mod results;
pub mod runner;
pub mod summary;
pub mod values;

#[cfg(test)]
mod tests;

pub use file::Mistake;
pub use plan::{Plan, Setup, SubjectPlan};
pub use results::{Record, Store, StoreError};
pub use runner::{Job, RunError, Watcher};
pub use summary::{Estimate, SummaryRow};
