//! Finds good values for what a parallel search leaves open: a walk along one value after the other, as long as that
//! makes the search faster. A few runs, no model: single values matter more than how they go together.

pub use parallel::habits::Tuning;

use crate::experiment::Estimate;

/// One of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knob {
    /// [`Tuning::least_depth`].
    LeastDepth,
    /// The same where it says of which nodes peers tell each other side by side.
    ToldDepth,
    /// [`Tuning::table_depth`].
    TableDepth,
    /// [`Tuning::batch`].
    Batch,
}

impl Knob {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Knob::LeastDepth => "least depth",
            Knob::ToldDepth => "least depth that others hear of",
            Knob::TableDepth => "table depth",
            Knob::Batch => "entries in a message",
        }
    }

    /// What is tried, in order.
    fn values(self) -> &'static [usize] {
        match self {
            Knob::LeastDepth => &[1, 2, 3, 4, 5, 6],
            // All that is more than half as deep as the root is told in any case.
            Knob::ToldDepth => &[2, 3, 4, 5, 6, 7, 8, 9, 10, 12],
            Knob::TableDepth => &[0, 1, 2, 3, 4, 5],
            Knob::Batch => &[1, 4, 16, 64, 256],
        }
    }

    fn get(self, tuning: &Tuning) -> usize {
        match self {
            Knob::LeastDepth | Knob::ToldDepth => tuning.least_depth.max(0) as usize,
            Knob::TableDepth => usize::from(tuning.table_depth),
            Knob::Batch => tuning.batch,
        }
    }

    fn set(self, tuning: Tuning, value: usize) -> Tuning {
        match self {
            Knob::LeastDepth | Knob::ToldDepth => Tuning { least_depth: value as i32, ..tuning },
            Knob::TableDepth => Tuning { table_depth: value as u8, ..tuning },
            Knob::Batch => Tuning { batch: value, ..tuning },
        }
    }

    /// The values beside the present one: less, and more.
    fn beside(self, tuning: Tuning) -> [Option<Tuning>; 2] {
        let (values, present) = (self.values(), self.get(&tuning));
        let less = values.iter().rev().find(|value| **value < present);
        let more = values.iter().find(|value| **value > present);
        [less, more].map(|value| value.map(|value| self.set(tuning, *value)))
    }
}

/// How long a search takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timing {
    /// The mean of its repetitions.
    pub seconds: f64,
    /// The standard error of the mean: 0 in virtual time.
    pub error: f64,
}

impl Timing {
    /// Of these repetitions.
    #[must_use]
    pub fn of(seconds: &[f64]) -> Timing {
        let estimate = Estimate::of(seconds);
        Timing { seconds: estimate.mean, error: estimate.error.unwrap_or(0.0) }
    }

    /// Whether it is so much less than the other that this is not chance.
    #[must_use]
    pub fn is_better_than(&self, other: &Timing) -> bool {
        let gain = other.seconds - self.seconds;
        gain > GAIN_MIN * other.seconds && gain > ERRORS_MIN * self.error.hypot(other.error)
    }
}

/// What is less than this part better is not worth a setting of its own.
const GAIN_MIN: f64 = 0.03;
/// What is less than so many standard errors better may be chance.
const ERRORS_MIN: f64 = 2.0;
/// The values are not gone through more often.
const ROUNDS_MAX: usize = 3;

/// What a walk has come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The values.
    pub tuning: Tuning,
    /// How long the search takes with them.
    pub timing: Timing,
    /// How long it took where the walk began.
    pub before: Timing,
}

/// Values with which a search takes the least time, as far as a walk finds them. `measure` says how long it takes.
///
/// # Errors
/// Those of `measure`.
pub fn tune<E>(
    start: Tuning,
    knobs: &[Knob],
    measure: &mut dyn FnMut(&Tuning) -> Result<Timing, E>,
) -> Result<Best, E> {
    let mut known: Vec<(Tuning, Timing)> = Vec::new();
    let mut time_of = |tuning: Tuning| -> Result<Timing, E> {
        if let Some((_, time)) = known.iter().find(|(other, _)| *other == tuning) {
            return Ok(*time);
        }
        let time = measure(&tuning)?;
        known.push((tuning, time));
        Ok(time)
    };
    let before = time_of(start)?;
    let mut best = (start, before);
    for _ in 0..ROUNDS_MAX {
        let last = best.0;
        for &knob in knobs {
            for side in [0, 1] {
                while let Some(next) = knob.beside(best.0)[side] {
                    let time = time_of(next)?;
                    if !time.is_better_than(&best.1) {
                        break;
                    }
                    best = (next, time);
                }
            }
        }
        if best.0 == last {
            break;
        }
    }
    Ok(Best { tuning: best.0, timing: best.1, before })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Tuning = Tuning { least_depth: 2, table_depth: 1, batch: 64 };

    fn found(knobs: &[Knob], time: impl Fn(&Tuning) -> f64) -> (Tuning, usize) {
        let mut runs = 0;
        let mut measure = |tuning: &Tuning| -> Result<Timing, ()> {
            runs += 1;
            Ok(Timing::of(&[time(tuning)]))
        };
        let best = tune(START, knobs, &mut measure).unwrap();
        assert!(best.timing.seconds <= best.before.seconds);
        (best.tuning, runs)
    }

    #[test]
    fn a_walk_finds_the_best_values_in_few_runs() {
        let time = |tuning: &Tuning| {
            let off = |value: usize, best: usize| (value as f64 - best as f64).abs();
            4.0 + off(tuning.least_depth as usize, 4)
                + off(usize::from(tuning.table_depth), 0)
                + off(tuning.batch, 16) / 16.0
        };
        let (best, runs) = found(&[Knob::LeastDepth, Knob::TableDepth, Knob::Batch], time);
        assert_eq!(best, Tuning { least_depth: 4, table_depth: 0, batch: 16 });
        assert!(runs < 20, "{runs}");
        // What is not to be tuned stays as it is.
        assert_eq!(found(&[Knob::TableDepth], time).0, Tuning { table_depth: 0, ..START });
        let deeper = |tuning: &Tuning| 15.0 - f64::from(tuning.least_depth);
        assert_eq!(found(&[Knob::ToldDepth], deeper).0, Tuning { least_depth: 12, ..START });
    }

    #[test]
    fn what_makes_no_difference_stays() {
        assert_eq!(found(&[Knob::LeastDepth, Knob::Batch], |_| 1.0), (START, 5));
    }

    #[test]
    fn what_may_be_chance_is_no_gain() {
        let [slow, fast] = [[1.0, 1.1, 0.9, 1.0], [0.8, 0.9, 0.8, 0.7]].map(|times| Timing::of(&times));
        assert!(fast.is_better_than(&slow) && !slow.is_better_than(&fast));
        let [slow, fast] = [[1.0, 1.5, 0.5, 1.0], [0.8, 1.3, 0.3, 0.8]].map(|times| Timing::of(&times));
        assert!(!fast.is_better_than(&slow));
        // In virtual time there is no chance, but a part that is too small to matter.
        let [usual, near, far] = [1.0, 0.98, 0.96].map(|time| Timing::of(&[time]));
        assert!(!near.is_better_than(&usual) && far.is_better_than(&usual));
    }
}
