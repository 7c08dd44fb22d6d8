//! Counting the tree of a puzzle with one blank. There is one function for every field where the blank can be:
//! where tiles come from and go to is then known at compile time, and no loop over neighbours ends unforeseen.

use super::{Puzzle15, Puzzle24, difference};
use crate::perft::leaf;

/// Counts the leaves of a puzzle whose blank is on a field.
type Walker<P> = fn(&mut P, u32) -> u64;

macro_rules! walkers {
    ($module:ident, $puzzle:ty, $($here:ident = $to:literal [$($next:ident $from:literal),*];)*) => {
        mod $module {
            use super::*;

            $(
                fn $here<const BULK: bool>(puzzle: &mut $puzzle, depth: u32) -> u64 {
                    const COUNT: u64 = [$($from),*].len() as u64;
                    let signature = puzzle.signature();
                    if BULK && depth == 1 {
                        return COUNT;
                    }
                    let mut leaves = 0;
                    if depth == 1 {
                        $(
                            let tile = puzzle.slide(0, $from, $to);
                            puzzle.sign(signature ^ difference(tile, $from, $to));
                            leaves += leaf(puzzle);
                            puzzle.tiles[$from] = tile;
                        )*
                    } else {
                        $(
                            let tile = puzzle.slide(0, $from, $to);
                            puzzle.sign(signature ^ difference(tile, $from, $to));
                            leaves += $next::<BULK>(puzzle, depth - 1);
                            puzzle.tiles[$from] = tile;
                        )*
                    }
                    // Every tile was laid over the one before; only now does the field become blank again.
                    puzzle.tiles[$to] = 0;
                    puzzle.blanks[0] = $to;
                    puzzle.sign(signature);
                    leaves
                }
            )*

            /// Every leaf is played.
            pub(in crate::sliding) static MAKE_ALL: &[Walker<$puzzle>] = &[$($here::<false>),*];
            /// The last ply is counted.
            pub(in crate::sliding) static BULK: &[Walker<$puzzle>] = &[$($here::<true>),*];
        }
    };
}

walkers! {
    four, Puzzle15,
    at0 = 0 [at4 4, at1 1];
    at1 = 1 [at5 5, at0 0, at2 2];
    at2 = 2 [at6 6, at1 1, at3 3];
    at3 = 3 [at7 7, at2 2];
    at4 = 4 [at8 8, at5 5, at0 0];
    at5 = 5 [at9 9, at4 4, at6 6, at1 1];
    at6 = 6 [at10 10, at5 5, at7 7, at2 2];
    at7 = 7 [at11 11, at6 6, at3 3];
    at8 = 8 [at12 12, at9 9, at4 4];
    at9 = 9 [at13 13, at8 8, at10 10, at5 5];
    at10 = 10 [at14 14, at9 9, at11 11, at6 6];
    at11 = 11 [at15 15, at10 10, at7 7];
    at12 = 12 [at13 13, at8 8];
    at13 = 13 [at12 12, at14 14, at9 9];
    at14 = 14 [at13 13, at15 15, at10 10];
    at15 = 15 [at14 14, at11 11];
}

walkers! {
    five, Puzzle24,
    at0 = 0 [at5 5, at1 1];
    at1 = 1 [at6 6, at0 0, at2 2];
    at2 = 2 [at7 7, at1 1, at3 3];
    at3 = 3 [at8 8, at2 2, at4 4];
    at4 = 4 [at9 9, at3 3];
    at5 = 5 [at10 10, at6 6, at0 0];
    at6 = 6 [at11 11, at5 5, at7 7, at1 1];
    at7 = 7 [at12 12, at6 6, at8 8, at2 2];
    at8 = 8 [at13 13, at7 7, at9 9, at3 3];
    at9 = 9 [at14 14, at8 8, at4 4];
    at10 = 10 [at15 15, at11 11, at5 5];
    at11 = 11 [at16 16, at10 10, at12 12, at6 6];
    at12 = 12 [at17 17, at11 11, at13 13, at7 7];
    at13 = 13 [at18 18, at12 12, at14 14, at8 8];
    at14 = 14 [at19 19, at13 13, at9 9];
    at15 = 15 [at20 20, at16 16, at10 10];
    at16 = 16 [at21 21, at15 15, at17 17, at11 11];
    at17 = 17 [at22 22, at16 16, at18 18, at12 12];
    at18 = 18 [at23 23, at17 17, at19 19, at13 13];
    at19 = 19 [at24 24, at18 18, at14 14];
    at20 = 20 [at21 21, at15 15];
    at21 = 21 [at20 20, at22 22, at16 16];
    at22 = 22 [at21 21, at23 23, at17 17];
    at23 = 23 [at22 22, at24 24, at18 18];
    at24 = 24 [at23 23, at19 19];
}

/// Counts the leaves of the 15-puzzle.
pub(super) fn walk_four<const BULK: bool>(puzzle: &mut Puzzle15, depth: u32) -> u64 {
    let walkers = if BULK { four::BULK } else { four::MAKE_ALL };
    walkers[usize::from(puzzle.blanks[0])](puzzle, depth)
}

/// Counts the leaves of the 24-puzzle.
pub(super) fn walk_five<const BULK: bool>(puzzle: &mut Puzzle24, depth: u32) -> u64 {
    let walkers = if BULK { five::BULK } else { five::MAKE_ALL };
    walkers[usize::from(puzzle.blanks[0])](puzzle, depth)
}
