//! How long searches take, known well enough to compare them: runs of a few milliseconds say nothing on a real
//! machine.

use std::time::Instant;

use anyhow::{Result, bail};
use lab::Fabric;
use lab::tuning::Timing;

use crate::interrupt;

/// A search on real processors is repeated until all together took so long.
const SECONDS_MIN: f64 = 0.5;
/// It is repeated at least so often.
const REPETITIONS: usize = 3;
/// Searches are not made deeper than this to take longer.
const DEPTH_MAX: i32 = 60;

/// How long something takes: on virtual processors once, on real ones as often as it takes to know it.
pub(super) fn timing(fabric: Fabric, search: &mut dyn FnMut() -> Result<f64>) -> Result<Timing> {
    if matches!(fabric, Fabric::Virtual { .. }) {
        return Ok(Timing::of(&[search()?]));
    }
    let (mut times, began) = (Vec::new(), Instant::now());
    while times.len() < REPETITIONS || began.elapsed().as_secs_f64() < SECONDS_MIN {
        times.push(search()?);
    }
    Ok(Timing::of(&times))
}

/// A search to some depth.
pub(super) struct Trial {
    pub(super) seconds: f64,
    /// Whether a deeper one would not take longer.
    pub(super) is_over: bool,
}

/// A depth from this one on, in such steps, at which a few repetitions are a measurement. What is made when it is
/// first needed, as machine code is, is made on the way.
pub(super) fn deep_enough(
    first: i32,
    step: i32,
    search: &mut dyn FnMut(i32) -> Result<Trial>,
) -> Result<i32> {
    let mut depth = first;
    loop {
        let Trial { seconds, is_over } = search(depth)?;
        if is_over || seconds >= SECONDS_MIN / REPETITIONS as f64 || depth + step > DEPTH_MAX {
            return Ok(depth);
        }
        depth += step;
    }
}

/// Ends a measurement when the user wants to.
pub(super) fn go_on() -> Result<()> {
    if interrupt::requested() {
        bail!("stopped");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_made_deep_enough_to_be_measured() {
        let depth = |first, step, over: i32| {
            let mut search =
                |depth: i32| Ok(Trial { seconds: 0.001 * 1.5_f64.powi(depth - 6), is_over: depth >= over });
            deep_enough(first, step, &mut search).unwrap()
        };
        assert_eq!((depth(6, 1, 100), depth(6, 2, 100)), (19, 20));
        assert_eq!((depth(6, 1, 9), depth(30, 1, 100)), (9, 30));
        assert_eq!(
            deep_enough(6, 1, &mut |_| Ok(Trial { seconds: 0.0, is_over: false })).unwrap(),
            DEPTH_MAX
        );
    }

    #[test]
    fn real_searches_are_repeated() {
        let mut count = 0;
        let mut search = || {
            count += 1;
            Ok(0.2)
        };
        let long = timing(Fabric::Threads, &mut search).unwrap();
        assert!(long.error < 1e-9 && count >= REPETITIONS, "{count}");
    }
}
