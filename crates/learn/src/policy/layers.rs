//! Rows of a fixed number of channels: loops that become vectors. Sums are always added up in the same order.

/// Adds a multiple of a row.
#[inline(always)]
pub(super) fn add<const C: usize>(into: &mut [f32; C], factor: f32, row: &[f32; C]) {
    for (sum, value) in into.iter_mut().zip(row) {
        *sum += factor * value;
    }
}

/// The sum of products.
#[inline(always)]
pub(super) fn dot<const C: usize>(one: &[f32; C], other: &[f32; C]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for (one, other) in one.chunks_exact(8).zip(other.chunks_exact(8)) {
        for lane in 0..8 {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

/// A slice as rows.
#[inline(always)]
pub(super) fn rows<const C: usize>(values: &[f32]) -> &[[f32; C]] {
    values.as_chunks::<C>().0
}

/// The same to be written to.
#[inline(always)]
pub(super) fn rows_mut<const C: usize>(values: &mut [f32]) -> &mut [[f32; C]] {
    values.as_chunks_mut::<C>().0
}
