//! Passes over the intermediate form. Each one gives a program with the same meaning (the interpreter runs the
//! result and judges it), in a form that compiles to better code.

pub mod loops;
pub mod sight;

use crate::ir::Program;

/// The passes that compiled code needs or likes, in order.
#[must_use]
pub fn run(mut program: Program) -> Program {
    sight::run(&mut program);
    loops::run(&mut program);
    program
}
