//! Least squares with a prior: the weights that explain results best, drawn towards what is expected of them.

/// What to explain.
pub(crate) struct Row {
    pub(crate) features: Vec<f64>,
    pub(crate) result: f64,
    pub(crate) weight: f64,
}

/// Solves for weights such that `features · weights ≈ result`, each drawn towards its expectation as if `trust` more
/// rows had said so, in which the feature is as large as usual.
pub(crate) fn fit(rows: &[Row], expected: &[f64], trust: f64) -> Vec<f64> {
    let count = expected.len();
    let mut matrix = vec![vec![0.0; count + 1]; count];
    let total: f64 = rows.iter().map(|row| row.weight).sum();
    for (index, row) in matrix.iter_mut().enumerate() {
        let squares: f64 = rows.iter().map(|row| row.weight * row.features[index].powi(2)).sum();
        let trust = if squares > 0.0 { trust * squares / total } else { trust };
        row[index] = trust;
        row[count] = trust * expected[index];
    }
    for Row { features, result, weight } in rows {
        for (index, row) in matrix.iter_mut().enumerate().filter(|&(index, _)| features[index] != 0.0) {
            for (other, feature) in features.iter().enumerate() {
                row[other] += weight * features[index] * feature;
            }
            row[count] += weight * features[index] * result;
        }
    }
    solve(matrix)
}

/// Solves linear equations by Gauss-Jordan elimination: a row of coefficients each, its right side behind them. The
/// matrix is positive definite, so that no pivot is zero.
#[must_use]
pub fn solve(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let count = matrix.len();
    for pivot in 0..count {
        let divisor = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|&(index, _)| index != pivot) {
            let factor = row[pivot];
            row.iter_mut().zip(&pivot_row).for_each(|(value, above)| *value -= factor * above);
        }
    }
    matrix.iter().map(|row| row[count]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_overrule_the_prior_and_few_do_not() {
        let row = |x: f64, y: f64| Row { features: vec![x, y], result: 2.0 * x - y, weight: 1.0 };
        let rows: Vec<_> = (0..100).map(|index| row(f64::from(index % 7), f64::from(index % 5))).collect();
        let weights = fit(&rows, &[0.0, 0.0], 1e-6);
        assert!((weights[0] - 2.0).abs() < 1e-3 && (weights[1] + 1.0).abs() < 1e-3, "{weights:?}");
        assert_eq!(fit(&[], &[0.5, -3.0], 1.0), [0.5, -3.0]);
    }
}
