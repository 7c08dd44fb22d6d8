//! `collection` keeps other people's games in one file and finds them by position: what was played there, how often,
//! and how it ended. The browser, `book` and the shell share it. It knows games through `game` and texts of games
//! through
//! `protocol`; it does not know where the file is, nor who asks.
//!
//! [`store`] is the file, [`reading`] makes entries of it from portable game notation.

#![forbid(unsafe_code)]

pub mod reading;
pub mod store;

pub use reading::{Added, add};
pub use store::{Collection, CollectionError, Found, KeptGame, Known};
