//! `lab` measures parallel searches: how much faster so many processors are, and where the rest of their time went. It knows
//! games, searches and fabrics, and not the command line. Start with [`speedup`].

#![forbid(unsafe_code)]

pub mod cost;
pub mod curves;
pub mod puzzles;
pub mod speedup;

pub use speedup::{Experiment, Fabric, LabError, Row};
