//! Passes over the intermediate form. Each one gives a program with the same meaning (the interpreter runs the
//! result and judges it), in a form that compiles to better code.

pub mod loops;
pub mod sight;
