//! From the fractions that a policy is learned in to the whole numbers that it works with.

use std::sync::Arc;

use super::{Eyes, MovePolicy, PolicyShape};

/// The worth of 1 in sums of the first layer.
pub(super) const FIRST: f32 = 512.0;
/// By how many bits that is more than in the numbers of a field.
pub(super) const FIRST_BITS: u32 = 1;
/// The worth of 1 in weights of later layers, as bits.
pub(super) const WEIGHT_BITS: u32 = 11;
/// The worth of 1 in sums of later layers.
pub(super) const SUM: f32 = (256_u32 << WEIGHT_BITS) as f32;
/// The largest number of a field: 8.
pub(super) const MOST: i32 = 2047;

/// Whether a part of a policy's numbers has 32 bits instead of 16.
pub(super) const IS_LARGE: [bool; PolicyShape::PARTS] =
    [false, false, false, false, false, true, false, true, false, true, false, true, false, true];

/// A policy in fractions, in the order of [`PolicyShape::parts`].
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyParameters {
    /// The sizes of its layers.
    pub shape: PolicyShape,
    /// All its numbers.
    pub values: Vec<f32>,
}

impl PolicyParameters {
    /// Numbers of a field are clipped to this.
    pub const CLIP: f32 = MOST as f32 / 256.0;

    /// How large the numbers of a part may be.
    #[must_use]
    pub fn limit(part: usize) -> f32 {
        match part {
            // Twenty-five of them and some more fit into 16 bits.
            0..=2 => 2.2,
            part if IS_LARGE[part] => 100.0,
            _ => 15.0,
        }
    }

    /// The parts, in the order of [`PolicyShape::parts`].
    #[must_use]
    pub fn parts(&self) -> [&[f32]; PolicyShape::PARTS] {
        let mut rest = self.values.as_slice();
        self.shape.parts().map(|count| {
            let (part, behind) = rest.split_at(count);
            rest = behind;
            part
        })
    }

    /// The policy of whole numbers that comes nearest.
    #[must_use]
    pub fn quantised(&self, eyes: Arc<Eyes>) -> MovePolicy {
        let parts = self.parts();
        let numbers = std::array::from_fn(|part| {
            let scale = match part {
                0..=2 => FIRST,
                part if IS_LARGE[part] => SUM,
                _ => (1_u32 << WEIGHT_BITS) as f32,
            };
            let most = PolicyParameters::limit(part);
            parts[part].iter().map(|value| (value.clamp(-most, most) * scale).round() as i32).collect()
        });
        MovePolicy::new(self.shape, eyes, numbers)
    }
}
