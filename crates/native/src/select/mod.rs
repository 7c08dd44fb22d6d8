//! The n-th set bit of a word, as a set.

#[cfg(target_arch = "x86_64")]
pub(crate) mod bmi2;
pub(crate) mod portable;
