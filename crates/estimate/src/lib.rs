//! `estimate` gives a game an evaluation that has none: what each piece is worth on each field, and what the players'
//! own counters are worth, found out by playing at random. It knows games through [`game`]. It knows neither the rule
//! language nor any search; randomness comes in as a seed, and where files are kept as a folder.
//!
//! Start with [`Derived::learn`]; [`Estimated`] is a game with such an evaluation; [`cache`] keeps what was learned,
//! [`regression`] solves linear equations; [`likeness`] finds symmetries by playing.

#![forbid(unsafe_code)]

pub mod cache;
mod derived;
mod estimated;
pub mod likeness;
mod playing;
pub mod regression;

pub use derived::{Derived, VERSION};
pub use estimated::{Estimated, Judge, Valued};
