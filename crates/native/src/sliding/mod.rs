//! Sliding-tile puzzles, one byte a tile: the 15-puzzle, the 24-puzzle, and the 15-puzzle with tile 15 taken
//! away, which leaves two blanks. Moves are made and taken back in place.
//!
//! The solved position has the blank in the upper left corner. Fields are counted as in the contract, from the
//! lower left corner; the puzzles are the same seen from there.

mod contract;
mod walk;

pub use contract::NativeSliding;

use game::signature::mixed as key;

use crate::perft::{Perft, leaf, played};
use walk::{walk_five, walk_four};

/// The most fields that a puzzle here has, rounded up to what makes an index cheap.
const FIELDS_MAX: usize = 32;

/// What a tile on a field adds to the signature, by field and tile; nothing for the blank.
static KEYS: [[u64; FIELDS_MAX]; FIELDS_MAX] = {
    let mut keys = [[0; FIELDS_MAX]; FIELDS_MAX];
    let mut field = 0;
    while field < FIELDS_MAX {
        let mut tile = 1;
        while tile < FIELDS_MAX {
            keys[field][tile] = key(field as u32, tile as i32);
            tile += 1;
        }
        field += 1;
    }
    keys
};

/// The fields next to a field.
#[derive(Clone, Copy)]
struct Neighbours {
    count: usize,
    fields: [u8; 4],
}

/// The neighbours of every field of a square board: above, left, right, below.
const fn neighbours(side: usize) -> [Neighbours; FIELDS_MAX] {
    let mut table = [Neighbours { count: 0, fields: [0; 4] }; FIELDS_MAX];
    let mut field = 0;
    while field < side * side {
        let (column, row) = (field % side, field / side);
        let candidates = [
            (row + 1 < side, field + side),
            (column > 0, field.wrapping_sub(1)),
            (column + 1 < side, field + 1),
            (row > 0, field.wrapping_sub(side)),
        ];
        let mut index = 0;
        while index < 4 {
            if candidates[index].0 {
                table[field].fields[table[field].count] = candidates[index].1 as u8;
                table[field].count += 1;
            }
            index += 1;
        }
        field += 1;
    }
    table
}

static NEIGHBOURS_4: [Neighbours; FIELDS_MAX] = neighbours(4);
static NEIGHBOURS_5: [Neighbours; FIELDS_MAX] = neighbours(5);

#[inline(always)]
fn around<const SIDE: usize>(field: u8) -> &'static Neighbours {
    let table = if SIDE == 4 { &NEIGHBOURS_4 } else { &NEIGHBOURS_5 };
    &table[usize::from(field) % FIELDS_MAX]
}

/// A puzzle of SIDE x SIDE fields with some blanks.
///
/// All of it is bytes, so that the compiler does not know any tile to lie at a multiple of four: it would then
/// read the tile as a whole word, which has to wait for the bytes just written into that word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sliding<const SIDE: usize, const BLANKS: usize> {
    /// What is on the fields; 0 is blank. Fields beyond the board are 0 too.
    tiles: [u8; FIELDS_MAX],
    /// Where the blanks are.
    blanks: [u8; BLANKS],
    /// The contract's signature, lowest byte first.
    signature: [u8; 8],
}

/// The 15-puzzle.
pub type Puzzle15 = Sliding<4, 1>;
/// The 24-puzzle.
pub type Puzzle24 = Sliding<5, 1>;
/// The 15-puzzle without tile 15.
pub type DoubleBlank = Sliding<4, 2>;

impl<const SIDE: usize, const BLANKS: usize> Sliding<SIDE, BLANKS> {
    /// The tile that belongs on a field in the solved position; 0 for a blank.
    const fn home(field: usize) -> u8 {
        let (column, row) = (field % SIDE, field / SIDE);
        let tile = (SIDE - 1 - row) * SIDE + column;
        if tile < SIDE * SIDE + 1 - BLANKS { tile as u8 } else { 0 }
    }

    /// The solved position.
    fn solved() -> Self {
        let mut puzzle = Sliding { tiles: [0; FIELDS_MAX], blanks: [0; BLANKS], signature: [0; 8] };
        let mut blanks = 0;
        for field in 0..SIDE * SIDE {
            puzzle.tiles[field] = Self::home(field);
            puzzle.sign(puzzle.signature() ^ KEYS[field][usize::from(puzzle.tiles[field])]);
            if puzzle.tiles[field] == 0 {
                puzzle.blanks[blanks] = field as u8;
                blanks += 1;
            }
        }
        puzzle
    }

    /// Slides a tile into a blank; returns the tile.
    #[inline(always)]
    fn slide(&mut self, blank: usize, from: u8, to: u8) -> u8 {
        let tile = self.tiles[usize::from(from) % FIELDS_MAX];
        self.tiles[usize::from(to) % FIELDS_MAX] = tile;
        self.tiles[usize::from(from) % FIELDS_MAX] = 0;
        self.blanks[blank] = from;
        tile
    }

    /// How many moves there are.
    #[inline(always)]
    fn count(&self) -> u64 {
        if BLANKS == 1 {
            return around::<SIDE>(self.blanks[0]).count as u64;
        }
        let next_to = |blank: u8| {
            let around = around::<SIDE>(blank);
            let fields = around.fields[..around.count].iter();
            fields.filter(|&&field| !self.blanks.contains(&field)).count() as u64
        };
        self.blanks.iter().map(|&blank| next_to(blank)).sum()
    }

    /// The contract's signature, kept from move to move.
    #[must_use]
    #[inline(always)]
    pub fn signature(&self) -> u64 {
        u64::from_le_bytes(self.signature)
    }

    #[inline(always)]
    fn sign(&mut self, signature: u64) {
        self.signature = signature.to_le_bytes();
    }

    /// Makes every move and calls back after each.
    #[inline(always)]
    fn make_each(&mut self, mut then: impl FnMut(&mut Self)) {
        let signature = self.signature();
        for blank in 0..BLANKS {
            let to = self.blanks[blank];
            let around = around::<SIDE>(to);
            for &from in &around.fields[..around.count] {
                if BLANKS > 1 && self.tiles[usize::from(from) % FIELDS_MAX] == 0 {
                    continue;
                }
                let tile = self.slide(blank, from, to);
                self.sign(signature ^ difference(tile, from, to));
                then(self);
                self.tiles[usize::from(from) % FIELDS_MAX] = tile;
            }
            // The next tile is laid over the last one; only in the end does the field become blank again.
            self.tiles[usize::from(to) % FIELDS_MAX] = 0;
            self.blanks[blank] = to;
        }
        self.sign(signature);
    }

    fn walk<const BULK: bool>(&mut self, depth: u32) -> u64 {
        let mut leaves = 0;
        match depth {
            1 if BULK => leaves = self.count(),
            1 => self.make_each(|child| leaves += leaf(child)),
            2 if BULK => self.make_each(|child| {
                played(child);
                leaves += child.count();
            }),
            _ => self.make_each(|child| leaves += child.walk::<BULK>(depth - 1)),
        }
        leaves
    }
}

/// What sliding a tile adds to the signature.
#[inline(always)]
fn difference(tile: u8, from: u8, to: u8) -> u64 {
    let key = |field: u8| KEYS[usize::from(field) % FIELDS_MAX][usize::from(tile) % FIELDS_MAX];
    key(from) ^ key(to)
}

fn walk_two_blanks<const BULK: bool>(puzzle: &mut DoubleBlank, depth: u32) -> u64 {
    puzzle.walk::<BULK>(depth)
}

macro_rules! perft {
    ($puzzle:ty, $name:literal, $walk:ident) => {
        impl Perft for $puzzle {
            const NAME: &'static str = $name;

            fn start() -> $puzzle {
                <$puzzle>::solved()
            }

            fn make_all(&self, depth: u32) -> u64 {
                if depth == 0 { 1 } else { $walk::<false>(&mut { *self }, depth) }
            }

            fn bulk(&self, depth: u32) -> u64 {
                if depth == 0 { 1 } else { $walk::<true>(&mut { *self }, depth) }
            }
        }
    };
}

perft!(Puzzle15, "puzzle15", walk_four);
perft!(Puzzle24, "puzzle24", walk_five);
perft!(DoubleBlank, "doubleblank", walk_two_blanks);
