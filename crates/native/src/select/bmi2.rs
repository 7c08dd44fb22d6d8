//! For processors that can deposit bits: no loop whose length cannot be foretold.

use std::arch::x86_64::_pdep_u64;

/// The set bit with this index, counted from the lowest, alone.
#[target_feature(enable = "bmi2")]
#[inline]
pub(crate) fn nth(set: u64, index: u32) -> u64 {
    _pdep_u64(1 << index, set)
}
