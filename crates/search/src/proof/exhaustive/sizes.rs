//! How large the trees below positions are, and what they cost. The number of empty fields says how far a game that
//! ends by itself has come, whether moves fill fields or clear them; what it means for trees is learned from those
//! that were searched. Where it is cheaper to let the generator settle them, it does.

use game::{GameInfo, MoveView, Position};

/// So many trees were searched before their average is believed.
const TREES_LEAST: u64 = 16;
/// The average forgets trees that were searched longer ago than so many.
const MEMORY: u64 = 1024;
/// One tree of so many is searched in the other way, to see whether that has become the cheaper one.
const TRIED_EVERY: u64 = 256;
/// A node that is searched costs as much as so many that are settled.
const NODE_COST: u64 = 12;

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

    fn is_known(self) -> bool {
        self.count >= TREES_LEAST
    }
}

/// What is known of positions with a number of empty fields.
#[derive(Clone, Copy, Default)]
struct Stage {
    /// Nodes of trees that were searched.
    nodes: Average,
    /// What they cost, those that the table knew included.
    searched: Average,
    /// What trees cost that the generator settled.
    settled: Average,
    /// How often a move ends the game well, in thousandths.
    endings: Average,
    /// How often it was asked which way to go.
    asked: u64,
}

/// Averages by the number of empty fields.
pub(super) struct Sizes {
    fields: usize,
    stages: Vec<Stage>,
    /// Trees up to this size may be settled by the generator.
    settles: u64,
    /// Nodes that were settled so far.
    settled: u64,
}

impl Sizes {
    pub(super) fn new(info: &GameInfo, settles: u64) -> Sizes {
        let fields = info.geometry.fields();
        Sizes { fields, stages: vec![Stage::default(); fields + 1], settles, settled: 0 }
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

    /// What a search has cost that has come to so many nodes.
    pub(super) fn cost(&self, nodes: u64) -> u64 {
        NODE_COST * (nodes - self.settled) + self.settled
    }

    /// A tree was searched with lists and tables.
    pub(super) fn note_searched(&mut self, empty: usize, nodes: u64, cost: u64) {
        self.stages[empty].nodes.add(nodes);
        self.stages[empty].searched.add(cost + NODE_COST);
    }

    /// A tree need not be searched: the table knew.
    pub(super) fn note_known(&mut self, empty: usize) {
        self.stages[empty].searched.add(NODE_COST);
    }

    /// A tree was settled by the generator, or it has given up after so many nodes.
    pub(super) fn note_settled(&mut self, empty: usize, nodes: u64, gave_up: bool) {
        self.settled += nodes;
        let again = if gave_up { self.stages[empty].searched.value as u64 } else { 0 };
        self.stages[empty].settled.add(nodes + again);
    }

    /// Whether the tree of a position with so many empty fields is settled by the generator.
    pub(super) fn are_settled(&mut self, empty: usize) -> bool {
        if self.settles == 0 {
            return false;
        }
        let limit = self.settles as f64;
        let stage = &mut self.stages[empty];
        if !stage.searched.is_known() || stage.nodes.value > limit {
            return false;
        }
        if !stage.settled.is_known() {
            return true;
        }
        stage.asked += 1;
        let cheaper = stage.settled.value <= stage.searched.value.min(limit);
        // What is far too large is not tried again.
        let other = stage.asked.is_multiple_of(TRIED_EVERY) && stage.settled.value <= 4.0 * limit;
        cheaper != other
    }

    /// The moves of a position were listed, and one of them ended the game well enough, or none.
    pub(super) fn note_ending(&mut self, empty: usize, ends: bool) {
        self.stages[empty].endings.add(if ends { 1000 } else { 0 });
    }

    /// Whether moves of such positions are counted and not listed: they hardly ever end the game.
    pub(super) fn are_counted(&self, empty: usize) -> bool {
        let endings = self.stages[empty].endings;
        endings.count >= LOOKS_LEAST && endings.value <= 1000.0 * ENDINGS_FEW
    }

    /// After so many nodes it is not worth while to go on settling.
    pub(super) fn settling_max(&self) -> u64 {
        16 * self.settles
    }

    /// Whether such trees have at least so many nodes, as far as is known.
    pub(super) fn exceed(&self, empty: usize, nodes: u64) -> bool {
        let average = self.stages[empty].nodes;
        !average.is_known() || average.value >= nodes as f64
    }
}
