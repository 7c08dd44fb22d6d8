//! From the fractions that a network is learned in to the whole numbers that it works with.

use std::sync::Arc;

use crate::inputs::Inputs;
use crate::kernel::{DENSE_BITS, ONE};
use crate::shape::Shape;
use crate::sums::{Network, Numbers};

/// What an estimate of 1 in the exponent of the odds is worth: 400 are ten to one.
pub const UNIT: i32 = 174;
/// The worth of 1 in weights of the later layers.
pub(crate) const DENSE_SCALE: i64 = 1 << DENSE_BITS;
/// The worth of 1 in weights of patterns.
pub(crate) const PATTERN_SCALE: i32 = 1 << 12;
/// 1, clipped and squared, becomes this: the loss is made up for by the weights behind it.
const SQUARED: f32 = ((ONE as i32 * ONE as i32) >> 8) as f32;

/// A network in fractions, in the order of [`Shape::parts`].
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// The sizes of its layers.
    pub shape: Shape,
    /// All its numbers.
    pub values: Vec<f32>,
    /// The evaluation that it corrects; without one, it judges alone.
    pub corrects: Option<Corrected>,
}

/// An evaluation that a network corrects: what the network says is added to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Corrected {
    /// Tells the evaluation from others.
    pub fingerprint: u64,
    /// What its units are worth, in parts of [`Corrected::ONE`].
    pub scale: i32,
}

impl Corrected {
    /// A scale of 1.
    pub const ONE: i32 = 1 << 16;

    /// An evaluation whose estimates have to be multiplied by `scale`, so that 400 are ten to one.
    #[must_use]
    pub fn new(fingerprint: u64, scale: f64) -> Corrected {
        let scale = (scale * f64::from(Corrected::ONE)).round().clamp(1.0, f64::from(i32::MAX));
        Corrected { fingerprint, scale: scale as i32 }
    }

    /// What it says of a position, in the units of networks.
    #[must_use]
    pub fn scaled(&self, plain: i32) -> i64 {
        i64::from(plain) * i64::from(self.scale) / i64::from(Corrected::ONE)
    }

    /// The same as the exponent of the odds.
    #[must_use]
    pub fn exponent(&self, plain: i32) -> f32 {
        (f64::from(plain) * f64::from(self.scale) / f64::from(Corrected::ONE) / f64::from(UNIT)) as f32
    }
}

impl Parameters {
    /// The parts, in the order of [`Shape::parts`].
    #[must_use]
    pub fn parts(&self) -> [&[f32]; 7] {
        let mut rest = self.values.as_slice();
        self.shape.parts().map(|count| {
            let (part, behind) = rest.split_at(count);
            rest = behind;
            part
        })
    }

    /// The network of whole numbers that comes nearest.
    #[must_use]
    pub fn quantised(&self, inputs: Arc<Inputs>) -> Network {
        let [first, first_biases, dense, dense_biases, last, last_biases, patterns] = self.parts();
        let Shape { width, .. } = self.shape;
        let one = f32::from(ONE);
        let dense_scale = DENSE_SCALE as f32;
        let small = |values: &[f32], scale: f32, most: f32| -> Vec<i16> {
            values.iter().map(|value| (value * scale).round().clamp(-most, most) as i16).collect()
        };
        let large = |values: &[f32], scale: f32| -> Vec<i32> {
            values.iter().map(|value| (value * scale).round().clamp(-BIAS_MAX, BIAS_MAX) as i32).collect()
        };
        let numbers = Numbers {
            first: small(first, one, FIRST_MAX),
            first_biases: small(first_biases, one, FIRST_MAX),
            dense: small(dense, dense_scale * one / SQUARED, dense_max(width)),
            dense_biases: large(dense_biases, dense_scale * one),
            last: small(last, dense_scale, f32::from(i16::MAX)),
            last_biases: large(last_biases, dense_scale * one),
            patterns: small(patterns, PATTERN_SCALE as f32, f32::from(i16::MAX)),
        };
        Network::new(self.shape, self.corrects, inputs, numbers)
    }
}

/// Weights of the first layer stay below this, so that the sums of many do not wrap around.
const FIRST_MAX: f32 = 2_000.0;
/// Biases stay below this.
const BIAS_MAX: f32 = (1 << 26) as f32;

/// Weights of a dense layer up to this cannot make its sums wrap around.
pub(crate) fn dense_max(width: usize) -> f32 {
    let room = (i32::MAX - (1 << 26)) as f32;
    (room / (2 * width.max(1)) as f32 / f32::from(ONE)).min(f32::from(i16::MAX)).floor()
}
