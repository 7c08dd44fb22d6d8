//! Bounds on what one move generation may do. A rule that hits one is wrong; the fault says which.

/// Rules that call rules that call rules …
pub const CALL_DEPTH_MAX: u32 = 5_000;
/// Rounds of one loop on the way to one result.
pub const LOOP_ROUNDS_MAX: u32 = 10_000;
/// Results of `main` for one position, doubles included.
pub const RESULTS_MAX: usize = 1_000_000;
/// Statements executed for one position.
pub const STEPS_MAX: u64 = 200_000_000;
