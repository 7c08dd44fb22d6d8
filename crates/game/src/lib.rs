//! `game` is the contract between games and searches. It knows positions, moves, signatures, outcomes,
//! repetition, and how positions and moves are written; it knows nothing of the rule language or of any
//! search. A game is anything that implements [`Game`]: the interpreter in `rules`, compiled code in `jit`,
//! or a hand-written generator in `native`.
//!
//! Start with [`contract`], then [`moves`]: *a move is what it changes*, and undo, notation, history and
//! messages all follow from that.

#![forbid(unsafe_code)]

pub mod bytes;
pub mod castling;
mod code;
pub mod contract;
pub mod erased;
pub mod fen;
pub mod geometry;
pub mod history;
pub mod info;
pub mod motion;
pub mod moves;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod position;
pub mod record;
pub mod recurrence;
pub mod signature;
pub mod stack;
mod statements;
pub mod stopping;
pub mod symmetry;
pub mod text;
pub mod watched;

pub use contract::{Advance, Game, RuleFault, Settled, Stage, Summands, advance_by_list};
pub use erased::{Erased, ErasedPosition};
pub use geometry::{Direction, Field, Geometry};
pub use history::{History, Repetition, RepetitionResult};
pub use info::{GameInfo, PieceCode, PieceInfo, PropertyInfo, PropertyKind};
pub use motion::Motion;
pub use moves::{Change, Move, MoveList, MoveView};
pub use outcome::{Colour, Outcome};
pub use position::Position;
pub use record::Record;
pub use recurrence::Recurrence;
pub use signature::Signature;
pub use symmetry::Symmetry;
pub use watched::Watched;
