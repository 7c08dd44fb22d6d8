//! All tests of this folder in one program, which is compiled and linked once.

mod cases;
mod dib;
mod exactness;
mod lazy_smp;
mod memory;
mod panics;
mod proofs_and_playouts;
mod stealing;
#[path = "../../../search/tests/support/mod.rs"]
mod support;
mod tds;
