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

/// Seconds that a run takes: processor time where the system tells it, otherwise time of the clock on the wall.
/// Short runs are repeated until there is something to measure.
pub(super) fn seconds(run: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let (start, mut runs) = (Stopwatch::start(), 0);
    loop {
        run()?;
        runs += 1;
        let elapsed = start.seconds();
        if elapsed > SECONDS_LEAST {
            return Ok(elapsed / f64::from(runs));
        }
    }
}

/// Enough to be measured.
const SECONDS_LEAST: f64 = 0.05;

/// Measures the time that this thread has had a processor: waiting for one does not count.
pub(super) struct Stopwatch {
    wall: Instant,
    processor: Option<f64>,
}

impl Stopwatch {
    pub(super) fn start() -> Stopwatch {
        Stopwatch { wall: Instant::now(), processor: processor_seconds() }
    }

    pub(super) fn seconds(&self) -> f64 {
        match self.processor.zip(processor_seconds()) {
            Some((before, now)) => now - before,
            None => self.wall.elapsed().as_secs_f64(),
        }
    }
}

#[cfg(unix)]
fn processor_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(unix))]
fn processor_seconds() -> Option<f64> {
    None
}
