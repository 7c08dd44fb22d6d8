//! How large a network is.

/// The sizes of a network's layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Features that a view can have.
    pub inputs: usize,
    /// Sums of each view: a multiple of 16.
    pub width: usize,
    /// Neurons of the dense layer.
    pub hidden: usize,
    /// Dense layers, one for each phase of the game.
    pub phases: usize,
}

impl Shape {
    /// No network is wider.
    pub const WIDTH_MAX: usize = 2048;
    /// No dense layer has more neurons.
    pub const HIDDEN_MAX: usize = 64;
    /// A game has no more phases.
    pub const PHASES_MAX: usize = 16;
    /// No game has more features.
    pub const INPUTS_MAX: usize = 1 << 20;

    /// Whether a network can have this shape.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        (1..=Shape::INPUTS_MAX).contains(&self.inputs)
            && (16..=Shape::WIDTH_MAX).contains(&self.width)
            && self.width.is_multiple_of(16)
            && (1..=Shape::HIDDEN_MAX).contains(&self.hidden)
            && (1..=Shape::PHASES_MAX).contains(&self.phases)
    }

    /// How many numbers each part has, in the order of files: weights and biases of the first layer, of the dense layers, and
    /// of the last.
    #[must_use]
    pub fn parts(&self) -> [usize; 6] {
        let Shape { inputs, width, hidden, phases } = *self;
        [inputs * width, width, phases * hidden * 2 * width, phases * hidden, phases * hidden, phases]
    }

    /// How many numbers a network has.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.parts().iter().sum()
    }
}
