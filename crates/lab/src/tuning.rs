//! Finds good values for what a parallel search leaves open: a walk along one value after the other, as long as that
//! makes the search faster. A few runs, no model: single values matter more than how they go together.

pub use parallel::habits::Tuning;

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

/// What is less than this part better may be chance.
const GAIN_MIN: f64 = 0.01;
/// The values are not gone through more often.
const ROUNDS_MAX: usize = 3;

/// What a walk has come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The values.
    pub tuning: Tuning,
    /// How long the search takes with them.
    pub seconds: f64,
    /// How long it took where the walk began.
    pub seconds_before: f64,
}

/// Values with which a search takes the least time, as far as a walk finds them. `measure` says how long it takes.
///
/// # Errors
/// Those of `measure`.
pub fn tune<E>(
    start: Tuning,
    knobs: &[Knob],
    measure: &mut dyn FnMut(&Tuning) -> Result<f64, E>,
) -> Result<Best, E> {
    let mut known: Vec<(Tuning, f64)> = Vec::new();
    let mut time_of = |tuning: Tuning| -> Result<f64, E> {
        if let Some((_, time)) = known.iter().find(|(other, _)| *other == tuning) {
            return Ok(*time);
        }
        let time = measure(&tuning)?;
        known.push((tuning, time));
        Ok(time)
    };
    let seconds_before = time_of(start)?;
    let mut best = (start, seconds_before);
    for _ in 0..ROUNDS_MAX {
        let before = best.0;
        for &knob in knobs {
            for side in [0, 1] {
                while let Some(next) = knob.beside(best.0)[side] {
                    let time = time_of(next)?;
                    if time > best.1 * (1.0 - GAIN_MIN) {
                        break;
                    }
                    best = (next, time);
                }
            }
        }
        if best.0 == before {
            break;
        }
    }
    Ok(Best { tuning: best.0, seconds: best.1, seconds_before })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Tuning = Tuning { least_depth: 2, table_depth: 1, batch: 64 };

    fn found(knobs: &[Knob], time: impl Fn(&Tuning) -> f64) -> (Tuning, usize) {
        let mut runs = 0;
        let mut measure = |tuning: &Tuning| -> Result<f64, ()> {
            runs += 1;
            Ok(time(tuning))
        };
        let best = tune(START, knobs, &mut measure).unwrap();
        assert!(best.seconds <= best.seconds_before);
        (best.tuning, runs)
    }

    #[test]
    fn a_walk_finds_the_best_values_in_few_runs() {
        let time = |tuning: &Tuning| {
            let off = |value: usize, best: usize| (value as f64 - best as f64).abs();
            10.0 + off(tuning.least_depth as usize, 4)
                + off(usize::from(tuning.table_depth), 0)
                + off(tuning.batch, 16) / 16.0
        };
        let (best, runs) = found(&[Knob::LeastDepth, Knob::TableDepth, Knob::Batch], time);
        assert_eq!(best, Tuning { least_depth: 4, table_depth: 0, batch: 16 });
        assert!(runs < 20, "{runs}");
        // What is not to be tuned stays as it is.
        assert_eq!(found(&[Knob::TableDepth], time).0, Tuning { table_depth: 0, ..START });
        let deeper = |tuning: &Tuning| 20.0 - f64::from(tuning.least_depth);
        assert_eq!(found(&[Knob::ToldDepth], deeper).0, Tuning { least_depth: 12, ..START });
    }

    #[test]
    fn what_makes_no_difference_stays() {
        assert_eq!(found(&[Knob::LeastDepth, Knob::Batch], |_| 1.0), (START, 5));
    }
}
