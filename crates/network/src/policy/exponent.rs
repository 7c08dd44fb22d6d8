//! Powers of e that are the same on every machine: sums and products of single precision in a fixed order.

/// e to the power of a number, within a few millionths.
#[must_use]
pub(super) fn exp(power: f32) -> f32 {
    let scaled = power.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    let whole = scaled.floor();
    let part = (scaled - whole) * std::f32::consts::LN_2;
    // Taylor's series up to the seventh power; `part` is below 0.7.
    let terms = [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let fraction = terms.iter().fold(0.0, |sum: f32, term| sum * part + term);
    fraction * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// From odds to a share.
#[must_use]
pub(super) fn sigmoid(power: f32) -> f32 {
    1.0 / (1.0 + exp(-power))
}

/// Makes shares of exponents, which add up to 1.
pub(super) fn softmax(exponents: &mut [f32]) {
    let most = exponents.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for exponent in exponents.iter_mut() {
        *exponent = exp(*exponent - most);
        sum += *exponent;
    }
    exponents.iter_mut().for_each(|share| *share /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_right() {
        for tenth in -400..400 {
            let power = tenth as f32 / 10.0;
            let (found, expected) = (f64::from(exp(power)), f64::from(power).exp());
            assert!((found / expected - 1.0).abs() < 1e-5, "{power}: {found} {expected}");
        }
        assert!((sigmoid(0.0) - 0.5).abs() < 1e-6);
        let mut shares = [1.0, 2.0, -90.0];
        softmax(&mut shares);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6 && shares[1] > shares[0]);
    }
}
