//! For any processor: the lower ones are removed one by one.

/// The set bit with this index, counted from the lowest, alone.
#[inline(always)]
pub(crate) fn nth(mut set: u64, index: u32) -> u64 {
    for _ in 0..index {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}
