//! Rubik's cube by cubies: where each of the 12 edges and 8 corners is and how it is turned, one byte each.
//! A face turn is one byte shuffle and an addition; the signature needs one key for each of the eight cubies
//! that move.
//!
//! A turn's number is three times its face (in the order U R F D L B) plus 0, 1 or 2 for a quarter turn
//! clockwise, a half turn, a quarter turn anticlockwise.

mod contract;
mod tables;
mod turn;

pub use contract::NativeCube;

use crate::perft::{Perft, leaf};
use tables::{COUNT_CORNERS, COUNT_EDGES, SOLVED_SIGNATURE};

/// The faces in the order of their numbers.
pub const FACES: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// How many turns there are: three of each face.
pub const TURNS: usize = 18;

/// The state of a cube: bytes 0 to 11 are the edges, 16 to 23 the corners, by place. Each byte is the number of
/// the cubie plus [`EDGE_TWIST`] or [`CORNER_TWIST`] times its twist.
type Cubies = [u8; 32];

/// What a flipped edge adds to its byte.
const EDGE_TWIST: u8 = 16;
/// What a third of a turn adds to a corner's byte.
const CORNER_TWIST: u8 = 8;
/// Where the corners begin.
const CORNERS: usize = 16;

/// A cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cube {
    cubies: [u64; 4],
    /// The contract's signature.
    signature: u64,
}

impl Cube {
    fn bytes(&self) -> Cubies {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.cubies) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &Cubies, signature: u64) -> Cube {
        let word = |index: usize| {
            (0..8).fold(0, |word, byte| word | u64::from(bytes[8 * index + byte]) << (8 * byte))
        };
        Cube { cubies: [word(0), word(1), word(2), word(3)], signature }
    }

    /// The cube after a turn.
    ///
    /// # Panics
    /// If there is no such turn.
    ///
    /// ```
    /// use native::{Cube, Perft};
    /// let once = Cube::start().turned(0);
    /// assert_ne!(once, Cube::start());
    /// assert_eq!(once.turned(2), Cube::start());
    /// ```
    #[must_use]
    pub fn turned(&self, turn: usize) -> Cube {
        let signature = self.signature ^ turn::difference(&self.bytes(), turn);
        Cube { cubies: turn::portable::turned(&self.cubies, turn), signature }
    }

    /// The contract's signature, kept from move to move.
    #[must_use]
    pub fn signature(&self) -> u64 {
        self.signature
    }
}

impl Perft for Cube {
    const NAME: &'static str = "rubik";

    fn start() -> Cube {
        let mut bytes = [0; 32];
        (0..COUNT_EDGES).for_each(|edge| bytes[edge] = edge as u8);
        (0..COUNT_CORNERS).for_each(|corner| bytes[CORNERS + corner] = corner as u8);
        Cube::from_bytes(&bytes, SOLVED_SIGNATURE)
    }

    fn make_all(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { make_all(self, depth) }
    }

    fn bulk(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { bulk(self, depth) }
    }
}

dispatched! {
    fn make_all(cube: &Cube, depth: u32) -> u64,
    recursing as again, with lanes from turn::portable | turn::avx2 {
        let bytes = cube.bytes();
        let after = |turn: usize| {
            let signature = cube.signature ^ turn::difference(&bytes, turn);
            Cube { cubies: lanes::turned(&cube.cubies, turn), signature }
        };
        if depth == 1 {
            // Written out, so that tables are read at known places.
            macro_rules! leaves {
                ($($turn:literal)*) => { 0 $(+ leaf(&after($turn)))* };
            }
            return leaves!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
        }
        (0..TURNS).map(|turn| again(&after(turn), depth - 1)).sum()
    }
}

dispatched! {
    fn bulk(cube: &Cube, depth: u32) -> u64,
    recursing as again, with lanes from turn::portable | turn::avx2 {
        if depth == 1 {
            return TURNS as u64;
        }
        let bytes = cube.bytes();
        let mut leaves = 0;
        for turn in 0..TURNS {
            let signature = cube.signature ^ turn::difference(&bytes, turn);
            leaves += again(&Cube { cubies: lanes::turned(&cube.cubies, turn), signature }, depth - 1);
        }
        leaves
    }
}
