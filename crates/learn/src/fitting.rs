//! Weights that explain positions best: logistic regression, drawn towards the weights that are there already.
//!
//! A position's worth is what its player may expect, between 0 (lost) and 1 (won). An evaluation says `1 / (1 +
//! exp(-scale · value))`, and the sum of squared errors is made small by the method of Gauss and Newton. The scale is
//! chosen first and kept, so that values keep their unit.

use estimate::regression::solve;

/// By how much the value of a position grows with a weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Influence {
    /// Which weight.
    pub weight: u32,
    /// How much for each unit.
    pub slope: f32,
}

/// A position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sample {
    /// What the evaluation says with the weights that are there.
    pub value: f64,
    /// What its player may expect, between 0 and 1.
    pub expected: f64,
    /// The weights that matter here.
    pub influences: Vec<Influence>,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// What to add to each weight.
    pub changes: Vec<f64>,
    /// How expectations grow with values.
    pub scale: f64,
    /// What it is worth to be to move beside what the evaluation says of it.
    pub to_move: f64,
}

/// Steps of Gauss and Newton; three or four do.
const STEPS: usize = 8;

/// Fits `weights` weights; `has_to_move`: whether they include what it is worth to be to move, which otherwise is
/// fitted beside them. Each is drawn towards what it was as if `trust` more positions, in which it has a slope of
/// one, had said so.
#[must_use]
pub fn fit(samples: &[Sample], weights: usize, has_to_move: bool, trust: f64) -> Fit {
    let mut changes = vec![0.0; weights];
    let scale = best_scale(samples, &changes);
    let mut to_move = 0.0;
    // Nothing was said about being to move: what is there keeps the matrix definite, no more.
    let trusts = [trust, if has_to_move { 1e12 } else { 1e-6 }];
    for _ in 0..STEPS {
        let mut step = step(samples, &changes, scale, to_move, trusts);
        to_move += step.pop().unwrap_or(0.0);
        changes.iter_mut().zip(step).for_each(|(change, step)| *change += step);
    }
    Fit { changes, scale, to_move }
}

impl Fit {
    /// The mean squared error of what is expected, with such changes.
    #[must_use]
    pub fn error(&self, samples: &[Sample], changes: &[f64]) -> f64 {
        error(samples, changes, self.scale, self.to_move)
    }
}

fn error(samples: &[Sample], changes: &[f64], scale: f64, to_move: f64) -> f64 {
    let squares = samples.iter().map(|sample| {
        let expected = logistic(scale * (changed_value(sample, changes) + to_move));
        (sample.expected - expected).powi(2)
    });
    squares.sum::<f64>() / samples.len().max(1) as f64
}

fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

fn changed_value(sample: &Sample, changes: &[f64]) -> f64 {
    let added = sample.influences.iter().map(|part| f64::from(part.slope) * changes[part.weight as usize]);
    sample.value + added.sum::<f64>()
}

/// The scale with the least error, by thirds of an interval of logarithms.
fn best_scale(samples: &[Sample], changes: &[f64]) -> f64 {
    let mean = |sum: f64| sum / samples.len().max(1) as f64;
    let size = mean(samples.iter().map(|sample| sample.value.abs()).sum()).max(1e-9);
    let (mut low, mut high) = ((0.01 / size).ln(), (20.0 / size).ln());
    for _ in 0..60 {
        let (first, second) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if error(samples, changes, first.exp(), 0.0) <= error(samples, changes, second.exp(), 0.0) {
            high = second;
        } else {
            low = first;
        }
    }
    low.exp()
}

/// The changes that make the error least as far as it is a parabola; the last is that of being to move, which has a
/// trust of its own.
fn step(samples: &[Sample], changes: &[f64], scale: f64, to_move: f64, trusts: [f64; 2]) -> Vec<f64> {
    let count = changes.len() + 1;
    // A unit of a weight changes an expectation by a quarter of the scale at most.
    let position = (scale / 4.0).powi(2);
    let mut matrix = vec![vec![0.0; count + 1]; count];
    for (index, row) in matrix.iter_mut().enumerate() {
        let (trust, change) = changes.get(index).map_or((trusts[1], to_move), |change| (trusts[0], *change));
        row[index] = trust * position;
        row[count] = -trust * position * change;
    }
    for sample in samples {
        let expected = logistic(scale * (changed_value(sample, changes) + to_move));
        let slope = scale * expected * (1.0 - expected);
        let missing = sample.expected - expected;
        let mover = Influence { weight: changes.len() as u32, slope: 1.0 };
        let parts = || sample.influences.iter().chain([&mover]);
        for part in parts() {
            let row = &mut matrix[part.weight as usize];
            let own = slope * f64::from(part.slope);
            for other in parts().filter(|other| other.weight >= part.weight) {
                row[other.weight as usize] += own * slope * f64::from(other.slope);
            }
            row[count] += own * missing;
        }
    }
    for row in 1..count {
        let (above, below) = matrix.split_at_mut(row);
        for (value, above) in below[0].iter_mut().zip(above) {
            *value = above[row];
        }
    }
    solve(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with two features, whose worth is said by other weights than those of the evaluation.
    fn samples(true_weights: [f64; 2]) -> Vec<Sample> {
        let parts = (0..400).map(|index| [f64::from(index % 7) - 3.0, f64::from(index % 11) - 5.0]);
        let sample = |parts: [f64; 2]| Sample {
            value: 10.0 * parts[0] + 10.0 * parts[1],
            expected: logistic(0.02 * (true_weights[0] * parts[0] + true_weights[1] * parts[1])),
            influences: (0..2)
                .map(|weight| Influence { weight, slope: parts[weight as usize] as f32 })
                .collect(),
        };
        parts.map(sample).collect()
    }

    #[test]
    fn weights_are_found_up_to_their_unit() {
        let fitted = fit(&samples([20.0, 5.0]), 2, false, 1e-6);
        let (first, second) = (10.0 + fitted.changes[0], 10.0 + fitted.changes[1]);
        assert!((first / second - 4.0).abs() < 0.05, "{first} {second}");
        let error = |changes: &[f64]| fitted.error(&samples([20.0, 5.0]), changes);
        assert!(error(&fitted.changes) < 1e-6 && error(&[0.0, 0.0]) > 1e-3, "{fitted:?}");
        assert!(fitted.to_move.abs() < 1e-3, "{fitted:?}");
    }

    #[test]
    fn trust_keeps_what_is_there() {
        let mut samples_of_movers = samples([20.0, 5.0]);
        samples_of_movers.iter_mut().for_each(|sample| sample.expected = (sample.expected + 0.05).min(1.0));
        let fitted = fit(&samples_of_movers, 3, false, 1e9);
        assert!(fitted.changes.iter().all(|change| change.abs() < 0.1), "{:?}", fitted.changes);
        assert!(fitted.to_move > 0.1, "{fitted:?}");
        let untouched = fit(&samples([20.0, 5.0]), 3, false, 1.0);
        assert_eq!(untouched.changes[2], 0.0);
    }
}
