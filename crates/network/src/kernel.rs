//! The loops over rows of numbers. They are written once, plainly, and compiled twice: for every processor, and for
//! those with vectors of 32 bytes. Whole numbers that wrap around give the same sums in any order, so both agree to
//! the bit.
//!
//! Unsafe is only the call of what needs such a processor, and it is made after asking for one.

/// The worth of 1 in the sums of the first layer.
pub(crate) const ONE: i16 = 255;
/// By how many bits the sums of the dense layer are too large.
pub(crate) const DENSE_BITS: u32 = 9;

macro_rules! twice {
    ($($(#[$note:meta])* fn $name:ident($($argument:ident: $kind:ty),*) = $body:path;)*) => {
        #[cfg(target_arch = "x86_64")]
        mod wide {
            use super::plain;
            $(
                #[target_feature(enable = "avx2")]
                pub(super) fn $name($($argument: $kind),*) {
                    plain::$name($($argument),*);
                }
            )*
        }

        $(
            $(#[$note])*
            #[inline]
            pub(crate) fn $name($($argument: $kind),*) {
                #[cfg(target_arch = "x86_64")]
                if std::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has just been asked for what the function needs.
                    return unsafe { wide::$name($($argument),*) };
                }
                $body($($argument),*);
            }
        )*
    };
}

twice! {
    /// Adds a row to sums.
    fn add(sums: &mut [i16], row: &[i16]) = plain::add;
    /// Takes a row away from sums.
    fn subtract(sums: &mut [i16], row: &[i16]) = plain::subtract;
    /// Takes one row away from sums and adds another.
    fn exchange(sums: &mut [i16], old: &[i16], new: &[i16]) = plain::exchange;
    /// Clips sums to 0 … [`ONE`] and squares them.
    fn activate(sums: &[i16], into: &mut [i16]) = plain::activate;
    /// The neurons of a dense layer: a row of weights for each, clipped to 0 … [`ONE`].
    fn dense(input: &[i16], weights: &[i16], biases: &[i32], into: &mut [i16]) = plain::dense;
}

pub(crate) mod plain {
    //! For every processor.
    use super::{DENSE_BITS, ONE};

    #[inline(always)]
    pub(crate) fn add(sums: &mut [i16], row: &[i16]) {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    #[inline(always)]
    pub(crate) fn subtract(sums: &mut [i16], row: &[i16]) {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    #[inline(always)]
    pub(crate) fn exchange(sums: &mut [i16], old: &[i16], new: &[i16]) {
        for ((sum, old), new) in sums.iter_mut().zip(old).zip(new) {
            *sum = sum.wrapping_add(new.wrapping_sub(*old));
        }
    }

    #[inline(always)]
    pub(crate) fn activate(sums: &[i16], into: &mut [i16]) {
        for (sum, active) in sums.iter().zip(into) {
            let clipped = (*sum).clamp(0, ONE) as u16;
            // 255 squared fits in 16 bits.
            *active = (clipped.wrapping_mul(clipped) >> 8) as i16;
        }
    }

    #[inline(always)]
    pub(crate) fn dense(input: &[i16], weights: &[i16], biases: &[i32], into: &mut [i16]) {
        for ((row, bias), neuron) in weights.chunks_exact(input.len()).zip(biases).zip(into) {
            let product = |(input, weight): (&i16, &i16)| i32::from(*input) * i32::from(*weight);
            let sum = input.iter().zip(row).map(product).fold(*bias, i32::wrapping_add);
            *neuron = (sum >> DENSE_BITS).clamp(0, i32::from(ONE)) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{activate, add, dense, exchange, plain, subtract};

    #[test]
    fn both_versions_agree_to_the_bit() {
        let mut random = fastrand::Rng::with_seed(1);
        for width in [16, 48, 64, 256] {
            let mut row = |_: usize| (0..width).map(|_| random.i16(..)).collect::<Vec<_>>();
            let [start, old, new, weights] = [0, 1, 2, 3].map(&mut row);
            let (mut one, mut other) = (start.clone(), start);
            add(&mut one, &old);
            plain::add(&mut other, &old);
            exchange(&mut one, &old, &new);
            plain::exchange(&mut other, &old, &new);
            subtract(&mut one, &weights);
            plain::subtract(&mut other, &weights);
            assert_eq!(one, other);
            let (mut active, mut other) = (vec![0; width], vec![0; width]);
            activate(&one, &mut active);
            plain::activate(&one, &mut other);
            assert_eq!(active, other);
            assert!(active.iter().any(|&value| value > 0));
            let (mut neurons, mut other) = ([0; 2], [0; 2]);
            dense(&active, &[old.clone(), new].concat(), &[5, -7], &mut neurons);
            plain::dense(&active, &[old, weights].concat(), &[5, -7], &mut other);
            assert_eq!(neurons[0], other[0]);
        }
    }
}
