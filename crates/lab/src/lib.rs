//! `lab` measures parallel searches: how much faster so many processors are, and where the rest of their time went.
//! It knows games, searches and fabrics, and not the command line. Start with [`speedup`], the measures; [`subject`]
//! is what is measured, under [`conditions`].

#![forbid(unsafe_code)]

pub mod combinations;
pub mod conditions;
pub mod cost;
pub mod curves;
pub mod experiment;
pub mod fingerprint;
pub mod originals;
pub mod parts;
pub mod puzzles;
pub mod speedup;
pub mod subject;
pub mod trace;
pub mod tree;
pub mod tuning;

pub use conditions::{Conditions, Fabric, Order, Special, settings};
pub use speedup::{LabError, Row, Run};
pub use subject::{Positions, Subject};
