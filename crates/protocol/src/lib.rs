//! `protocol` is how the program speaks with people's programs and files: UCI, standard algebraic notation, EPD,
//! PGN and suites of test positions. It knows games through `game` and engines through `search`; it does not know where
//! the rules come from or what generates the moves.
//!
//! Start with [`session`]: a game, its past and an engine in one value, which every conversation works on.

#![forbid(unsafe_code)]

pub mod session;
pub mod strength;
pub mod task;

pub mod coordinates;
pub mod dialect;
pub mod san;
pub mod shape;

pub mod book;
pub mod chance;
pub mod epd;
pub mod pgn;
pub mod problems;
pub mod xsb;

mod exchange;
pub mod uci;
pub mod xboard;

pub use session::{EngineOptions, Session, SessionError};
pub use strength::Level;
pub use task::{Task, Thought, Variation};

#[cfg(test)]
mod library {
    //! Games of the library, interpreted.

    macro_rules! interpreted {
        ($name:literal) => {{
            let source = lang::Source::new(
                $name,
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/", $name, ".mg")),
            );
            let Ok((program, _)) = rules::compile(&source, None) else { panic!("{} has mistakes", $name) };
            rules::Interpreter::new(program)
        }};
    }

    pub(crate) use interpreted;
}
