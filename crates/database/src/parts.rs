//! Tables that several processors hold together. A table is cut into blocks, and blocks are dealt out in turn, so that
//! all processors hold as many and work is spread as evenly as blocks are asked for.

use std::ops::Range;

use game::motion::Divided;

use crate::PatternTable;
use crate::bounds::{Patterns, View, Weights};

/// Bytes of a block.
const BLOCK: usize = 1 << 9;

/// What a processor holds: by look the blocks that are its own, one behind the other.
type Part = Vec<Vec<u8>>;

/// A table as it is looked at, without its entries.
#[derive(Clone, Debug)]
struct Look {
    view: View,
    /// Which of a part's tables; several looks share one where a board is mirrored.
    table: usize,
    /// What an entry is worth.
    step: u16,
    /// Whether a new set of looks that add up begins here.
    begins: bool,
}

/// Tables of a puzzle in parts.
#[derive(Clone, Debug)]
pub struct Parts {
    looks: Vec<Look>,
    /// How many parts there are in all.
    count: usize,
    /// Those that are here.
    here: Range<usize>,
    held: Vec<Part>,
    /// By piece and site: what a piece needs alone.
    weights: Weights,
    adds: bool,
}

impl Parts {
    /// Divides tables among so many processors, and keeps the parts of some of them.
    #[must_use]
    pub fn new(patterns: Patterns, count: usize, here: Range<usize>) -> Parts {
        let count = count.max(1);
        let tables = patterns.tables();
        let held = here.clone().map(|part| tables.iter().map(|table| cut(table, part, count)).collect());
        let held = held.collect();
        let (views, sets, weights, adds) = patterns.into_views();
        let looks = views.into_iter().enumerate().map(|(number, view)| Look {
            table: number % tables.len(),
            step: view.table.step as u16,
            begins: sets.iter().any(|set| set.start == number),
            view: view.without_entries(),
        });
        Parts { looks: looks.collect(), count, here, held, weights, adds }
    }

    /// Bytes that a processor holds at most.
    #[must_use]
    pub fn bytes_most(&self) -> usize {
        self.held.iter().map(|part| part.iter().map(Vec::len).sum()).max().unwrap_or(0)
    }
}

/// The blocks of a table that belong to a part.
fn cut(table: &PatternTable, part: usize, count: usize) -> Vec<u8> {
    table.bytes.get().chunks(BLOCK).skip(part).step_by(count).flatten().copied().collect()
}

/// What is known where looks add up: the sum of the set that is being looked at, and the greatest of those before it.
fn sums(known: u16) -> (u16, u16) {
    (known & 0xff, known >> 8)
}

impl Divided for Parts {
    fn looks(&self) -> usize {
        self.looks.len()
    }

    fn holder(&self, look: usize, at: &[u8]) -> usize {
        self.looks[look].view.number(at) / 2 / BLOCK % self.count
    }

    fn look(&self, part: usize, look: usize, at: &[u8], known: u16) -> u16 {
        let Look { view, table, step, begins } = &self.looks[look];
        let number = view.number(at);
        let (block, byte) = (number / 2 / BLOCK, number / 2 % BLOCK);
        assert!(block % self.count == part && self.here.contains(&part), "an entry is looked up where it is");
        let bytes = &self.held[part - self.here.start][*table];
        let entry = u16::from(bytes[block / self.count * BLOCK + byte] >> (number % 2 * 4) & 15) * step;
        let (sum, greatest) = sums(known);
        if !self.adds {
            return sum.max(entry);
        }
        let (sum, greatest) = if *begins { (0, greatest.max(sum)) } else { (sum, greatest) };
        (sum + entry).min(0xff) | greatest << 8
    }

    fn bound(&self, at: &[u8], known: u16) -> u32 {
        let (sum, greatest) = sums(known);
        let alone =
            || at.iter().zip(self.weights.iter()).map(|(&site, row)| u32::from(row[usize::from(site)])).sum();
        let base: u32 = if self.adds { alone() } else { 0 };
        base + u32::from(sum.max(greatest))
    }
}
