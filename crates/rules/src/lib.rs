//! `rules` gives a checked program its meaning. It knows the intermediate form ([`ir`]), how to get there from
//! the tree ([`lower`]), and the reference interpreter ([`interpreter`]): obvious, small, slow, the truth that
//! compiled code is judged by. It knows nothing of machine code or threads.
//!
//! Start with [`ir`], then `interpreter/machine.rs`.

#![forbid(unsafe_code)]

pub mod interpreter;
pub mod ir;
pub mod limits;
pub mod lower;
pub mod passes;
pub mod walk;

pub use interpreter::Interpreter;
pub use ir::Program;
pub use lower::{CompileError, compile};
