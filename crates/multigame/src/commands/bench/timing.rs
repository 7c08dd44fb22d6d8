//! Time that a program has used, as undisturbed by others as the machine allows.

use std::time::Instant;

use anyhow::Result;

/// Runs two pieces of work in turns and returns the shortest time of each in seconds: others can only make a run
/// slower, and whatever slows one of the two is likely to slow the other.
pub(super) fn best_of_each(
    rounds: u32,
    mut first: impl FnMut() -> Result<()>,
    mut second: impl FnMut() -> Result<()>,
) -> Result<(f64, f64)> {
    let (mut best_first, mut best_second) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        best_first = best_first.min(seconds(&mut first)?);
        best_second = best_second.min(seconds(&mut second)?);
    }
    Ok((best_first, best_second))
}

/// Seconds of processor time where the system tells them, otherwise of the clock on the wall.
pub(super) fn seconds(run: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let (wall, processor) = (Instant::now(), processor_seconds());
    run()?;
    let wall = wall.elapsed().as_secs_f64();
    let used = processor.zip(processor_seconds()).map_or(wall, |(before, after)| after - before);
    Ok(used.max(1e-9))
}

/// The time that this thread has had a processor: waiting for one does not count.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    (nanoseconds > 0.0).then_some(nanoseconds / 1e9)
}
