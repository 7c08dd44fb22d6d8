//! The loops over rows of numbers, compiled twice as in [`crate::kernel`]: both versions agree to the bit.

/// Sums of products: a row of weights for each sum.
#[inline]
pub(super) fn products(input: &[i16], weights: &[i16], into: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been asked for what the function needs.
        return unsafe { wide(input, weights, into) };
    }
    plain(input, weights, into);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn wide(input: &[i16], weights: &[i16], into: &mut [i32]) {
    plain(input, weights, into);
}

#[inline(always)]
fn plain(input: &[i16], weights: &[i16], into: &mut [i32]) {
    let mut rows = weights.chunks_exact(input.len());
    // Four rows at once read the input once.
    let mut sums = into.chunks_exact_mut(4);
    for sums in &mut sums {
        let mut next = || rows.next().unwrap_or_default();
        let [a, b, c, d] = [next(), next(), next(), next()];
        let mut four = [0_i32; 4];
        for ((((&x, &a), &b), &c), &d) in input.iter().zip(a).zip(b).zip(c).zip(d) {
            let x = i32::from(x);
            four[0] = four[0].wrapping_add(x * i32::from(a));
            four[1] = four[1].wrapping_add(x * i32::from(b));
            four[2] = four[2].wrapping_add(x * i32::from(c));
            four[3] = four[3].wrapping_add(x * i32::from(d));
        }
        sums.copy_from_slice(&four);
    }
    for (sum, row) in sums.into_remainder().iter_mut().zip(rows) {
        *sum = input
            .iter()
            .zip(row)
            .fold(0, |sum: i32, (&x, &weight)| sum.wrapping_add(i32::from(x) * i32::from(weight)));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_versions_agree_to_the_bit() {
        let mut random = fastrand::Rng::with_seed(1);
        for (width, rows) in [(16, 1), (72, 8), (144, 16), (484, 6)] {
            let input: Vec<i16> = (0..width).map(|_| random.i16(0..2048)).collect();
            let weights: Vec<i16> = (0..width * rows).map(|_| random.i16(-30_000..30_000)).collect();
            let (mut one, mut other) = (vec![0; rows], vec![1; rows]);
            super::products(&input, &weights, &mut one);
            super::plain(&input, &weights, &mut other);
            assert_eq!(one, other);
            let last: i64 =
                (0..width).map(|i| i64::from(input[i]) * i64::from(weights[(rows - 1) * width + i])).sum();
            assert_eq!(one[rows - 1], last as i32);
        }
    }
}
