//! Connect-4 on bitboards, seven bits to a column so that lines do not run over the edge:
//!
//! ```text
//!  .  .  .  .  .  .  .     never used
//!  5 12 19 26 33 40 47     top row
//!  …
//!  0  7 14 21 28 35 42     bottom row
//! ```

mod contract;

pub use contract::NativeConnect4;

use game::signature::mixed as key;

use crate::declare::TURN;
use crate::perft::{Perft, Playouts, leaf, played};
use crate::random::Random;

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// The lowest field of every column.
const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
/// All fields.
const BOARD: u64 = BOTTOM * 0b11_1111;

/// A connect-4 position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect4 {
    /// The mover's discs.
    mine: u64,
    /// All discs.
    taken: u64,
    /// The contract's signature.
    signature: u64,
    /// The mover: 0 for white, 1 for black.
    mover: usize,
}

/// What a disc adds to the signature, by colour and bit; the turn, which passes, is in it already.
static DISCS: [[u64; 64]; 2] = {
    let mut keys = [[0; 64]; 2];
    let mut bit = 0;
    while bit < COLUMNS * (ROWS + 1) {
        let field = (bit % (ROWS + 1) * COLUMNS + bit / (ROWS + 1)) as u32;
        keys[0][bit] = key(field, 1) ^ TURN;
        keys[1][bit] = key(field, 2) ^ TURN;
        bit += 1;
    }
    keys
};

/// Whether four of these discs are in a line.
#[inline(always)]
fn has_four(discs: u64) -> bool {
    let line = |step: u32| {
        let pairs = discs & (discs >> step);
        pairs & (pairs >> (2 * step))
    };
    line(1) | line(6) | line(7) | line(8) != 0
}

impl Connect4 {
    /// The fields where the next disc of a column comes to lie.
    #[inline(always)]
    fn open(&self) -> u64 {
        (self.taken + BOTTOM) & BOARD
    }

    /// Whether the last move made a line.
    #[inline(always)]
    fn is_lost(&self) -> bool {
        has_four(self.mine ^ self.taken)
    }

    #[inline(always)]
    fn after(&self, disc: u64) -> Connect4 {
        Connect4 {
            mine: self.mine ^ self.taken,
            taken: self.taken | disc,
            signature: self.signature ^ DISCS[self.mover & 1][disc.trailing_zeros() as usize & 63],
            mover: self.mover ^ 1,
        }
    }

    /// The contract's signature, kept from move to move.
    #[must_use]
    pub fn signature(&self) -> u64 {
        self.signature
    }
}

impl Perft for Connect4 {
    const NAME: &'static str = "connect4";

    fn start() -> Connect4 {
        Connect4 { mine: 0, taken: 0, signature: 0, mover: 0 }
    }

    fn make_all(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { make_all(self, depth) }
    }

    fn bulk(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { bulk(self, depth) }
    }
}

impl Playouts for Connect4 {
    fn playouts(count: u64, seed: u64) -> u64 {
        playouts(count, seed)
    }
}

dispatched! {
    fn make_all(position: &Connect4, depth: u32) -> u64, recursing as again {
        if position.is_lost() {
            return 0;
        }
        let mut open = position.open();
        let mut leaves = 0;
        if depth == 1 {
            while open != 0 {
                leaves += leaf(&position.after(open & open.wrapping_neg()));
                open &= open - 1;
            }
            return leaves;
        }
        while open != 0 {
            leaves += again(&position.after(open & open.wrapping_neg()), depth - 1);
            open &= open - 1;
        }
        leaves
    }
}

dispatched! {
    fn bulk(position: &Connect4, depth: u32) -> u64, recursing as again {
        if position.is_lost() {
            return 0;
        }
        let mut open = position.open();
        if depth == 1 {
            return u64::from(open.count_ones());
        }
        let mut leaves = 0;
        if depth == 2 {
            while open != 0 {
                let child = position.after(open & open.wrapping_neg());
                played(&child);
                let replies = u64::from(child.open().count_ones());
                leaves += if child.is_lost() { 0 } else { replies };
                open &= open - 1;
            }
            return leaves;
        }
        while open != 0 {
            leaves += again(&position.after(open & open.wrapping_neg()), depth - 1);
            open &= open - 1;
        }
        leaves
    }
}

dispatched! {
    fn playouts(count: u64, seed: u64) -> u64,
    recursing as again, with select from crate::select::portable | crate::select::bmi2 {
        let mut random = Random::new(seed);
        let mut plies = 0;
        for _ in 0..count {
            let mut position = Connect4::start();
            loop {
                let open = position.open();
                if open == 0 {
                    break;
                }
                position = position.after(select::nth(open, random.below(open.count_ones())));
                plies += 1;
                if position.is_lost() {
                    break;
                }
            }
            leaf(&position);
        }
        plies
    }
}
