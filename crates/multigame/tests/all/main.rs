//! All tests of this folder in one program, which is compiled and linked once.

mod author;
mod book;
mod cli;
mod cluster;
mod counting;
mod database;
mod documents;
mod figures;
mod fit;
mod house;
mod lab;
mod lab_puzzles;
mod lab_refusals;
mod learn;
mod matches;
mod play;
mod playthroughs;
mod policy;
mod positions;
mod puzzles;
mod search;
mod shell;
mod suite;
#[path = "../support/mod.rs"]
mod support;
mod teamwork;
mod uci;
mod uci_answers;
mod xboard;
