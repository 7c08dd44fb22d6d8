//! All tests of this folder in one program, which is compiled and linked once.

mod contract;
mod erased;
mod perft;
