//! How far a search looks ahead.

use std::fmt;
use std::ops::{Add, Sub};

/// A number of plies. Reductions may take it below zero, which is a leaf as zero is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Depth(pub i32);

impl Depth {
    /// Deeper is not searched.
    pub const MAX: Depth = Depth(200);

    /// Whether the search ends here.
    #[must_use]
    pub fn is_leaf(self) -> bool {
        self.0 <= 0
    }

    /// As a table keeps it.
    #[must_use]
    #[inline]
    pub fn stored(self) -> u8 {
        self.0.clamp(0, 255) as u8
    }
}

impl Add<i32> for Depth {
    type Output = Depth;
    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;
    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}
