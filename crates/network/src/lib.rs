//! `network` judges positions of any game by a small network that is made of whole numbers: what it says is the same on
//! every machine. It knows games through [`game`]. It knows neither rules nor searches, nor how a network is learned.
//!
//! ```text
//! slots of a position ─ Inputs ─► features of white's and of black's view
//!   ─ first layer (16 bits) ─► two rows of sums, kept up to date by what differs from the position before
//!   ─ clipped and squared ─► the mover's row, then the opponent's ─ dense layer of the phase ─► clipped ─► one number
//!   ─ and the weights of patterns, lines and squares of the mover's view, if there are any
//!   ─ and what the plain evaluation says, if the network corrects it ─► the estimate
//! ```
//!
//! Start with [`Inputs`], what a network sees; [`Network::evaluate`] is what it says; [`Network::read`] and
//! [`Network::write`] are its file; [`samples`] is the file of positions that networks learn from. [`policy`] says
//! which move looks best.

mod checksum;
mod file;
mod inputs;
mod kernel;
mod patterns;
pub mod policy;
mod quantise;
pub mod reader;
pub mod samples;
mod shape;
mod sums;

pub use checksum::checksum;
pub use file::{FileError, VERSION};
pub use inputs::Inputs;
pub use patterns::Patterns;
pub use quantise::{Corrected, Parameters, UNIT};
pub use shape::Shape;
pub use sums::Network;
