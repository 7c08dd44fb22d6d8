//! All tests of this folder in one program, which is compiled and linked once.

mod load;
mod playing;
mod security;
#[path = "../support/mod.rs"]
mod support;
