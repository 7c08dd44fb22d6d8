//! The sizes of a policy's layers.

use super::{AROUND, Eyes, NEAR};

/// The sizes of a policy's layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicyShape {
    /// Fields of the board.
    pub fields: usize,
    /// What can stand on a field, nothing included.
    pub classes: usize,
    /// What is seen of a position beside its fields.
    pub globals: usize,
    /// Numbers for each field.
    pub channels: usize,
    /// Layers behind the first.
    pub layers: usize,
}

impl PolicyShape {
    /// Numbers for each field that the expected result is made of.
    pub const REDUCED: usize = 4;
    /// Neurons that they go to.
    pub const HIDDEN: usize = 32;
    /// How many numbers a field may have.
    pub const CHANNELS: [usize; 5] = [8, 16, 24, 32, 48];
    /// Layers behind the first at most.
    pub const LAYERS_MAX: usize = 8;
    /// Parts of a policy's numbers.
    pub const PARTS: usize = 14;

    /// A policy for what these eyes see.
    #[must_use]
    pub fn new(eyes: &Eyes, channels: usize, layers: usize) -> PolicyShape {
        PolicyShape {
            fields: eyes.fields(),
            classes: eyes.classes(),
            globals: eyes.globals(),
            channels,
            layers,
        }
    }

    /// Whether there can be such a policy.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        (1..=game::geometry::FIELDS_MAX).contains(&self.fields)
            && (1..=4096).contains(&self.classes)
            && self.globals <= 1 << 16
            && PolicyShape::CHANNELS.contains(&self.channels)
            && self.layers <= PolicyShape::LAYERS_MAX
    }

    /// How many numbers each part has, in the order of files:
    ///
    /// 0. first layer: by class (0: off the board), field around, channel
    /// 1. its biases
    /// 2. what is seen beside the fields: by global, channel
    /// 3. layers: by layer, near field, channel it comes from, channel it goes to
    /// 4. the mean of the board: by layer, channel it comes from, channel it goes to
    /// 5. biases of the layers
    /// 6. moves: by class, channel
    /// 7. moves: by field, class, whatever the position
    /// 8. the numbers of the expected result: by number, channel
    /// 9. their biases
    /// 10. dense layer: by field, number, neuron
    /// 11. its biases
    /// 12. the last layer: by neuron
    /// 13. its bias
    #[must_use]
    pub fn parts(&self) -> [usize; PolicyShape::PARTS] {
        let PolicyShape { fields, classes, globals, channels, layers } = *self;
        let (reduced, hidden) = (PolicyShape::REDUCED, PolicyShape::HIDDEN);
        [
            classes * AROUND * channels,
            channels,
            globals * channels,
            layers * NEAR * channels * channels,
            layers * channels * channels,
            layers * channels,
            classes * channels,
            fields * classes,
            reduced * channels,
            reduced,
            fields * reduced * hidden,
            hidden,
            hidden,
            1,
        ]
    }

    /// How many numbers a policy has.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.parts().iter().sum()
    }
}
