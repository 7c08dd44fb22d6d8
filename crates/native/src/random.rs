//! Random numbers for playouts: one multiplication each (wyrand), good enough to choose moves.

/// A stream of random numbers.
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number below a limit; the bias is below limit / 2^32.
    #[inline(always)]
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.next() as u32) * u64::from(limit)) >> 32) as u32
    }
}
