//! `jit` turns rules into machine code. It knows the intermediate form of `rules` and Cranelift, and offers the
//! result behind the contract of `game`. It knows nothing of searches.
//!
//! Start with `compile/mod.rs`; `layout.rs` says where things lie in memory, `runtime/` what compiled code
//! calls and may touch. All unsafe code is in `runtime/`, `blocks.rs`, `game.rs` and a few
//! lines of `compile/code.rs`.

mod blocks;
mod compile;
mod contract;
mod counting;
mod doubles;
mod game;
mod layout;
mod runtime;
mod settling;

pub use compile::{Listing, Options, Unsupported};
pub use game::{Compiled, Image, Prepared};
