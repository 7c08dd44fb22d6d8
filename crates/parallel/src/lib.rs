//! `parallel` runs the sequential searches of the room `search` on several processors. It knows neither which game it serves nor
//! who asks. So far there is one way: [`lazy_smp`], threads on one table.

#![forbid(unsafe_code)]

pub mod lazy_smp;

pub use lazy_smp::{THREADS_MAX, search, uses_threads};
