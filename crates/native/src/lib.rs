//! `native` is the room of hand-written games: the rivals that generated code is measured against, and games
//! that searches can play without the rule language. Each game comes in two forms. The raw form
//! ([`Perft`], [`Playouts`]) is written for speed alone; the form behind the contract ([`game::Game`],
//! `NativeOthello` and so on) is what searches use. Both keep the same signatures, those of
//! [`game::info::GameInfo::key`] (raw chess excepted: it keeps those of `cozy-chess`).
//!
//! It knows the contract in `game`; it knows nothing of the rule language or of any search. Start with
//! [`perft`], then [`connect4`], the smallest game.

#![deny(unsafe_code)]

pub mod perft;
#[macro_use]
mod processor;
mod declare;
mod random;
mod select;

pub mod checkers;
pub mod chess;
pub mod connect4;
pub mod cube;
pub mod othello;
pub mod sliding;

pub use checkers::{Checkers, NativeCheckers};
pub use chess::{Chess, NativeChess};
pub use connect4::{Connect4, NativeConnect4};
pub use cube::{Cube, NativeCube};
pub use othello::{NativeOthello, Othello};
pub use perft::{Perft, Playouts};
pub use sliding::{DoubleBlank, NativeSliding, Puzzle15, Puzzle24};
