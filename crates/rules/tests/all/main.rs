//! All tests of this folder in one program, which is compiled and linked once.

mod chess;
mod examples;
mod library;
mod passes;
mod passes_keep_the_meaning;
mod perft;
mod positions;
mod properties;
#[path = "../support/mod.rs"]
mod support;
mod trial;
