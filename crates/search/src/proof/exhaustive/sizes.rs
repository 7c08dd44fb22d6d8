//! How large the trees below positions are. The number of empty fields says how far a game that ends by itself has come,
//! whether moves fill fields or clear them; what it means for the size of trees is learned from those that were searched.

use game::{GameInfo, MoveView, Position};

/// So many trees were searched before their average is believed.
const TREES_LEAST: u64 = 16;
/// The average forgets trees that were searched longer ago than so many.
const MEMORY: u64 = 1024;

/// Moves are counted and not listed where no more than this part of positions can be ended well by one of them.
const ENDINGS_FEW: f64 = 1.0 / 32.0;
/// So many positions are looked at before that.
const LOOKS_LEAST: u64 = 64;

/// An average of the newest values.
#[derive(Clone, Copy, Default)]
struct Average {
    count: u64,
    value: f64,
}

impl Average {
    fn add(&mut self, value: u64) {
        self.count += 1;
        self.value += (value as f64 - self.value) / self.count.min(MEMORY) as f64;
    }
}

/// Averages by the number of empty fields.
pub(super) struct Sizes {
    fields: usize,
    searched: Vec<Average>,
    settled: Vec<Average>,
    /// How often a move ends the game well, in thousandths.
    endings: Vec<Average>,
    /// Trees up to this size are settled by the generator.
    settles: u64,
}

impl Sizes {
    pub(super) fn new(info: &GameInfo, settles: u64) -> Sizes {
        let fields = info.geometry.fields();
        let averages = vec![Average::default(); fields + 1];
        Sizes { fields, searched: averages.clone(), settled: averages.clone(), endings: averages, settles }
    }

    /// The empty fields of a position.
    pub(super) fn empty(&self, position: &Position) -> usize {
        position.fields().iter().filter(|&&code| code == 0).count()
    }

    /// The empty fields after a move from a position with so many.
    pub(super) fn after(&self, empty: usize, played: MoveView<'_>) -> usize {
        let of_fields = played.changes.iter().filter(|change| change.slot() < self.fields);
        let after = of_fields.fold(empty as isize, |sum, change| {
            sum + isize::from(change.new() == 0) - isize::from(change.old() == 0)
        });
        after.clamp(0, self.fields as isize) as usize
    }

    /// A tree was searched with lists and tables.
    pub(super) fn note_searched(&mut self, empty: usize, nodes: u64) {
        self.searched[empty].add(nodes);
    }

    /// A tree was settled by the generator, or it has given up after so many nodes.
    pub(super) fn note_settled(&mut self, empty: usize, nodes: u64) {
        self.settled[empty].add(nodes);
    }

    /// Whether trees of positions with so many empty fields are so small that the generator settles them best.
    pub(super) fn are_settled(&self, empty: usize) -> bool {
        let (searched, settled) = (self.searched[empty], self.settled[empty]);
        let limit = self.settles as f64;
        self.settles > 0
            && match settled.count {
                0..TREES_LEAST => searched.count >= TREES_LEAST && searched.value <= limit,
                _ => settled.value <= limit,
            }
    }

    /// The moves of a position were listed, and one of them ended the game well enough, or none.
    pub(super) fn note_ending(&mut self, empty: usize, ends: bool) {
        self.endings[empty].add(if ends { 1000 } else { 0 });
    }

    /// Whether moves of such positions are counted and not listed: they hardly ever end the game.
    pub(super) fn are_counted(&self, empty: usize) -> bool {
        let endings = self.endings[empty];
        endings.count >= LOOKS_LEAST && endings.value <= 1000.0 * ENDINGS_FEW
    }

    /// After so many nodes it is not worth while to go on settling.
    pub(super) fn settling_max(&self) -> u64 {
        64 * self.settles
    }

    /// Whether such trees have at least so many nodes, as far as is known.
    pub(super) fn exceed(&self, empty: usize, nodes: u64) -> bool {
        let searched = self.searched[empty];
        searched.count < TREES_LEAST || searched.value >= nodes as f64
    }
}
