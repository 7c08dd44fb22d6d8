//! Othello on bitboards. A pass is a move; a pass that the opponent cannot answer either ends the game.

mod contract;
mod last;
mod rays;

pub use contract::NativeOthello;

use crate::declare::{TURN, piece_keys};
use crate::perft::{Perft, Playouts, leaf};
use crate::random::Random;

/// An Othello position. Bit 0 is the lower left corner, bit 63 the upper right one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello {
    /// The mover's discs.
    mine: u64,
    /// The opponent's discs.
    theirs: u64,
    /// The contract's signature.
    signature: u64,
    /// The mover: 0 for white, 1 for black.
    mover: usize,
}

/// What a disc of either colour adds to the signature.
static DISCS: [[u64; 64]; 2] = [piece_keys(1), piece_keys(2)];

/// What turning over the discs of a row adds, by row and set of columns.
static TURNED: [[u64; 256]; 8] = {
    let (white, black): ([u64; 64], [u64; 64]) = (piece_keys(1), piece_keys(2));
    let mut sums = [[0; 256]; 8];
    let mut row = 0;
    while row < 8 {
        let mut set: usize = 1;
        while set < 256 {
            let field = row * 8 + set.trailing_zeros() as usize;
            sums[row][set] = sums[row][set & (set - 1)] ^ white[field] ^ black[field];
            set += 1;
        }
        row += 1;
    }
    sums
};

/// What turning over a set of discs adds to the signature.
#[inline(always)]
fn turned_keys(set: u64) -> u64 {
    let rows = set.to_le_bytes();
    let mut sum = 0;
    for (row, columns) in rows.into_iter().enumerate() {
        sum ^= TURNED[row][usize::from(columns)];
    }
    sum
}

impl Othello {
    /// The position after a move that turns over these discs.
    #[inline(always)]
    fn after(&self, field: usize, flips: u64) -> Othello {
        let own_key = DISCS[self.mover & 1][field & 63];
        Othello {
            mine: self.theirs ^ flips,
            theirs: self.mine | flips | 1 << field,
            signature: self.signature ^ own_key ^ turned_keys(flips) ^ TURN,
            mover: self.mover ^ 1,
        }
    }

    /// Whether no disc can be put anywhere: then neither side passes either.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.mine | self.theirs == u64::MAX
    }

    /// The position after a pass.
    #[inline(always)]
    fn passed(&self) -> Othello {
        Othello {
            mine: self.theirs,
            theirs: self.mine,
            signature: self.signature ^ TURN,
            mover: self.mover ^ 1,
        }
    }

    /// The contract's signature, kept from move to move.
    #[must_use]
    pub fn signature(&self) -> u64 {
        self.signature
    }
}

impl Perft for Othello {
    const NAME: &'static str = "othello";

    fn start() -> Othello {
        let (white, black) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
        let signature = DISCS[0][28] ^ DISCS[0][35] ^ DISCS[1][27] ^ DISCS[1][36] ^ TURN;
        Othello { mine: black, theirs: white, signature, mover: 1 }
    }

    fn make_all(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { make_all(self, depth) }
    }

    fn bulk(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { bulk(self, depth) }
    }
}

impl Playouts for Othello {
    fn playouts(count: u64, seed: u64) -> u64 {
        playouts(count, seed)
    }
}

dispatched! {
    fn make_all(position: &Othello, depth: u32) -> u64,
    recursing as again, with lanes from rays::portable | rays::avx2 {
        let mut moves = lanes::moves(position.mine, position.theirs);
        if moves == 0 {
            if position.is_full() {
                return 0;
            }
            let passed = position.passed();
            if depth == 1 {
                return leaf(&passed);
            }
            let over = lanes::moves(passed.mine, passed.theirs) == 0;
            return if over { 0 } else { again(&passed, depth - 1) };
        }
        let mut leaves = 0;
        while moves != 0 {
            let field = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let child = position.after(field, lanes::flips(field, position.mine, position.theirs));
            leaves += if depth == 1 { leaf(&child) } else { again(&child, depth - 1) };
        }
        leaves
    }
}

dispatched! {
    fn bulk(position: &Othello, depth: u32) -> u64,
    recursing as again, with lanes from rays::portable | rays::avx2 {
        let mut moves = lanes::moves(position.mine, position.theirs);
        if depth == 1 {
            return if moves == 0 { u64::from(!position.is_full()) } else { u64::from(moves.count_ones()) };
        }
        if moves == 0 {
            let passed = position.passed();
            let over = lanes::moves(passed.mine, passed.theirs) == 0;
            return if over { 0 } else { again(&passed, depth - 1) };
        }
        let mut leaves = 0;
        while moves != 0 {
            let field = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let child = position.after(field, lanes::flips(field, position.mine, position.theirs));
            leaves += again(&child, depth - 1);
        }
        leaves
    }
}

dispatched! {
    fn playouts(count: u64, seed: u64) -> u64,
    recursing as again, with lanes from rays::portable | rays::avx2,
    with select from crate::select::portable | crate::select::bmi2 {
        let mut random = Random::new(seed);
        let mut plies = 0;
        for _ in 0..count {
            let mut position = Othello::start();
            let mut after_pass = false;
            loop {
                let moves = lanes::moves(position.mine, position.theirs);
                if moves == 0 {
                    if after_pass || position.is_full() {
                        break;
                    }
                    after_pass = true;
                    position = position.passed();
                } else {
                    after_pass = false;
                    let field = select::nth(moves, random.below(moves.count_ones())).trailing_zeros() as usize;
                    position = position.after(field, lanes::flips(field, position.mine, position.theirs));
                }
                plies += 1;
            }
            leaf(&position);
        }
        plies
    }
}
