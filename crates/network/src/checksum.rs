//! A sum over bytes that tells whether a file is whole.

/// Fowler, Noll and Vo's hash of 64 bits: simple enough to be written again in any language.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum: u64, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
