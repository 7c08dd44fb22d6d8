//! `web` is the server behind `multigame serve`, and the page that it serves. It knows games through [`Host`], which
//! the binary implements, and plays them with `protocol`'s session; it knows neither which generators there are nor
//! where rules come from. What a front end may say is in [`message`], what it draws in [`look`].
//!
//! Start with `server.rs` (addresses), then `hall.rs` (all tables) and `table/` (one game, one thread, one queue).
//! `seat.rs` alone knows sessions. docs/web-protocol.md describes the messages.

#![forbid(unsafe_code)]

pub mod host;
pub mod look;
pub mod message;
mod server;

mod connection;
mod guard;
mod hall;
mod outbox;
mod table;

mod clock;
mod gesture;
mod jobs;
mod pool;
mod processors;
mod seat;
mod tree;

mod book;
mod folder;
mod library;
mod page;
mod store;
mod workshop;

pub use hall::Bounds;
pub use host::Host;
pub use server::{Config, ServeError, serve};
