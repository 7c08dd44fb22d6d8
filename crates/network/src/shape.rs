//! How large a network is.

/// The sizes of a network's layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Features that a view can have.
    pub inputs: usize,
    /// Sums of each view: a multiple of 16. With none there are only patterns.
    pub width: usize,
    /// Neurons of the dense layer.
    pub hidden: usize,
    /// Dense layers, one for each phase of the game.
    pub phases: usize,
    /// Entries of the tables of patterns, for one phase.
    pub entries: usize,
    /// Tables of patterns, one for each phase of the game; none for a network without patterns.
    pub tables: usize,
}

impl Shape {
    /// No network is wider.
    pub const WIDTH_MAX: usize = 2048;
    /// No dense layer has more neurons.
    pub const HIDDEN_MAX: usize = 64;
    /// A game has no more phases.
    pub const PHASES_MAX: usize = 16;
    /// No game has more entries of patterns.
    pub const ENTRIES_MAX: usize = 1 << 20;
    /// No game has more features.
    pub const INPUTS_MAX: usize = 1 << 20;

    /// Whether a network can have this shape.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let has_layers = (16..=Shape::WIDTH_MAX).contains(&self.width)
            && self.width.is_multiple_of(16)
            && (1..=Shape::HIDDEN_MAX).contains(&self.hidden);
        let has_patterns = (1..=Shape::ENTRIES_MAX).contains(&self.entries)
            && (1..=Shape::PHASES_MAX).contains(&self.tables);
        (1..=Shape::INPUTS_MAX).contains(&self.inputs)
            && (1..=Shape::PHASES_MAX).contains(&self.phases)
            && (has_layers || has_patterns && self.width == 0 && self.hidden == 0)
            && (has_patterns || self.entries == 0 && self.tables == 0)
    }

    /// How many numbers each part has, in the order of files: weights and biases of the first layer, of the dense
    /// layers, and of the last; weights of patterns.
    #[must_use]
    pub fn parts(&self) -> [usize; 7] {
        let Shape { inputs, width, hidden, phases, entries, tables } = *self;
        let dense = phases * hidden;
        [inputs * width, width, dense * 2 * width, dense, dense, phases, entries * tables]
    }

    /// Its sizes, in the order of files.
    #[must_use]
    pub fn sizes(&self) -> [usize; 6] {
        [self.inputs, self.width, self.hidden, self.phases, self.entries, self.tables]
    }

    /// The shape with these sizes.
    #[must_use]
    pub fn of_sizes([inputs, width, hidden, phases, entries, tables]: [usize; 6]) -> Shape {
        Shape { inputs, width, hidden, phases, entries, tables }
    }

    /// How many numbers a network has.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.parts().iter().sum()
    }
}
