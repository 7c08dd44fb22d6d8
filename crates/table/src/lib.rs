//! `table` remembers what searches found out about positions. It knows signatures through `game`, and bounds,
//! depths and moves as plain numbers; it knows nothing of the search that asks, of threads or of networks. All
//! tables are one trait, [`Table`], and take `&self`: one table can serve many searches at once.
//!
//! Start with [`entry`], then [`slot`], which says why a torn entry is never believed, then [`replacement`].

#![deny(unsafe_code)] // but for advice about memory

pub mod entry;
pub mod slot;

pub mod bucketed;
pub mod contract;
pub mod counters;
pub mod lent;
pub mod replacement;
pub mod room;
mod storage;
pub mod two_way;

pub use bucketed::Bucketed;
pub use contract::{NoTable, Table, Traffic};
pub use counters::{Counters, Stored};
pub use entry::{Bound, Entry, MoveTag};
pub use lent::{Lent, Memory};
pub use replacement::Replacement;
pub use two_way::TwoWay;
