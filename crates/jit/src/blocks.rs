//! Positions as numbers of blocks, and the code that counts lines of play with them.

use rustc_hash::FxHashMap;

use crate::compile::{Blocks, VECTOR};
use crate::layout::{Layout, SIGNATURE};
use crate::runtime::{Totals, read_byte};

/// Bytes of an encoded position before its vectors: the signature.
pub(crate) const HEAD: usize = 16;

/// Bytes from one encoded position to the next: no more cache lines than necessary.
pub(crate) fn stride(vectors: usize) -> usize {
    (HEAD + VECTOR * vectors).next_multiple_of(LINE)
}

/// Bytes of a cache line.
const LINE: usize = 64;

pub(crate) mod run {
    //! Where compiled code finds what it counts and what it calls.
    pub(crate) const LEAVES: i32 = 0;
    pub(crate) const NODES: i32 = 8;
    pub(crate) const LAST: i32 = 16;
    pub(crate) const WALK: i32 = 24;
    pub(crate) const TABLE: i32 = 32;
}

/// What compiled code counts and calls.
#[repr(C)]
struct Run {
    leaves: u64,
    nodes: u64,
    last: *const u8,
    walk: *const u8,
    table: *const u128,
}

/// How positions become numbers of blocks.
pub(crate) struct Encoding {
    blocks: Blocks,
    /// By kind: the number of a block that shows something.
    codes: Vec<FxHashMap<u64, u8>>,
}

impl Encoding {
    pub(crate) fn new(blocks: Blocks) -> Encoding {
        let mut codes = Vec::new();
        for kind in &blocks.kinds {
            let mut own = FxHashMap::default();
            for code in 0..kind.codes() {
                // A block that looks the same in two twists has the first number.
                own.entry(packed(kind.shown(code).into_iter())).or_insert(code as u8);
            }
            codes.push(own);
        }
        Encoding { blocks, codes }
    }

    /// Bytes of a position; `None` if it shows something that the start position does not, or shows something twice
    /// that must be told apart.
    fn encode(&self, field: impl Fn(usize) -> u8) -> Option<Vec<u8>> {
        let mut bytes = vec![0; VECTOR * self.blocks.vectors];
        for (kind, codes) in self.blocks.kinds.iter().zip(&self.codes) {
            let mut seen = [false; 1 << 8];
            for (place, &byte) in kind.places.iter().zip(&kind.bytes) {
                let code = *codes.get(&packed(place.iter().map(|&place| field(place))))?;
                let content = usize::from(code) % kind.unit();
                if std::mem::replace(&mut seen[content], true) && kind.differ {
                    return None;
                }
                bytes[byte] = code;
            }
        }
        Some(bytes)
    }
}

/// What a block shows as one number.
fn packed(shown: impl Iterator<Item = u8>) -> u64 {
    shown.fold(0, |packed, code| packed << 8 | u64::from(code))
}

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct CacheLine([u64; LINE / 8]);

/// Code that counts lines of play block by block.
pub(crate) struct BlockCode {
    pub(crate) encoding: Encoding,
    /// What the code reads.
    pub(crate) table: Box<[u128]>,
    /// For the last ply, played and only counted, and for all plies before it.
    pub(crate) played: *const u8,
    pub(crate) counted: *const u8,
    pub(crate) walk: *const u8,
}

impl BlockCode {
    /// Counts lines of play; `None` if this position cannot be had as numbers of blocks. `bulk`: moves of the last ply
    /// need not be played.
    pub(crate) fn count(&self, image: &[u64], layout: &Layout, depth: usize, bulk: bool) -> Option<Totals> {
        let bytes = self.encoding.encode(|field| read_byte(image, layout.mailbox + field))?;
        let mut positions = self.positions(image[SIGNATURE / 8], &bytes, depth + 1);
        let last = if bulk { self.counted } else { self.played };
        let mut run = self.run(last);
        let function = if depth == 1 { last } else { self.walk };
        // SAFETY: `function` is compiled code with this signature, and its memory lives as long as `self`.
        let function: unsafe extern "C" fn(*mut Run, *mut CacheLine, i64) -> i64 =
            unsafe { std::mem::transmute(function) };
        // SAFETY: the code reads one encoded position, and each ply writes the one behind its own: there are as
        // many as it goes deep and one more. The table is read at numbers of blocks, which stay what `encode` made.
        unsafe { function(&raw mut run, positions.as_mut_ptr(), depth as i64) };
        Some(Totals { leaves: run.leaves, nodes: run.nodes, ended: 0 })
    }

    fn run(&self, last: *const u8) -> Run {
        Run { leaves: 0, nodes: 0, last, walk: self.walk, table: self.table.as_ptr() }
    }

    /// Room for positions, one for each ply; the first one is filled in.
    fn positions(&self, signature: u64, bytes: &[u8], plies: usize) -> Vec<CacheLine> {
        let lines = stride(self.encoding.blocks.vectors) / LINE;
        let mut positions = vec![CacheLine([0; LINE / 8]); lines * plies];
        let word = |chunk: &[u8]| chunk.iter().rfold(0, |word, &byte| word << 8 | u64::from(byte));
        let encoded = [signature, 0].into_iter().chain(bytes.chunks(8).map(word));
        let places = positions.iter_mut().flat_map(|line| &mut line.0);
        places.zip(encoded).for_each(|(place, word)| *place = word);
        positions
    }
}

#[cfg(test)]
mod tests;
