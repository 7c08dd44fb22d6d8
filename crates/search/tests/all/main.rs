//! All tests of this folder in one program, which is compiled and linked once. `every_machine.rs` is apart, for
//! `scripts/arm`.

mod agreement;
mod endings;
mod estimates;
mod knowledge;
mod limits;
mod one_player;
mod policy;
mod solved;
#[path = "../support/mod.rs"]
mod support;
