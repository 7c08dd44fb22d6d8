//! All tests of this folder in one program, which is compiled and linked once.

mod dib;
mod lazy_smp;
mod memory;
mod proofs_and_playouts;
mod stealing;
#[path = "../../../search/tests/support/mod.rs"]
mod support;
mod tds;
