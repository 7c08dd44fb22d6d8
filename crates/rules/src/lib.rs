//! `rules` gives a checked program its meaning. It knows the intermediate form ([`ir`]), how to get there from
//! the tree ([`lower`]), the reference interpreter ([`interpreter`]): obvious, small, slow, the truth that
//! compiled code is judged by; and the [`passes`] that bring a program into a form that compiles to better
//! code. It knows nothing of machine code or threads.
//!
//! Start with [`ir`] and its text ([`mod@print`]), then `interpreter/machine.rs`.

#![forbid(unsafe_code)]

mod alike;
mod closing;
pub mod expectations;
pub mod interpreter;
pub mod ir;
pub mod limits;
pub mod lower;
mod names;
pub mod parts;
pub mod passes;
pub mod print;
pub mod puzzle;
mod symmetry;
pub mod trial;
pub mod walk;

pub use alike::players_are_alike;
pub use interpreter::{Interpreter, estimate};
pub use ir::Program;
pub use lower::{CompileError, compile};
pub use parts::Parts;
pub use symmetry::{symmetries, symmetries_after_passes};
