//! What is made of advice: which moves a node begins with, and chance at the root.

use super::tree::Node;

/// Moves that a node begins with.
const CHILDREN_MAX: usize = 48;
/// How unequal chance is: the shape of the gamma distribution for ten moves.
const SHAPE: f32 = 10.0;

/// The share from which on moves are worth a node of their own.
pub(super) fn least_share(shares: &[f32]) -> f32 {
    if shares.len() <= CHILDREN_MAX {
        return 0.0;
    }
    let mut sorted = shares.to_vec();
    let (_, least, _) = sorted.select_nth_unstable_by(CHILDREN_MAX - 1, |left, right| right.total_cmp(left));
    *least
}

/// Replaces a part of the shares by chance (Dirichlet's distribution).
pub(super) fn disturb(children: &mut [Node], part: f32, random: &mut fastrand::Rng) {
    let shape = SHAPE / children.len().max(1) as f32;
    let numbers: Vec<f32> = children.iter().map(|_| gamma(shape, random)).collect();
    let sum: f32 = numbers.iter().sum();
    if sum > 0.0 {
        for (child, number) in children.iter_mut().zip(numbers) {
            child.bias = (1.0 - part) * child.bias + part * number / sum;
        }
    }
}

/// A number of the gamma distribution (Marsaglia and Tsang).
fn gamma(shape: f32, random: &mut fastrand::Rng) -> f32 {
    let uniform = |random: &mut fastrand::Rng| (random.f32() + f32::EPSILON).min(1.0);
    if shape < 1.0 {
        return gamma(shape + 1.0, random) * uniform(random).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // Box and Muller.
        let radius = (-2.0 * uniform(random).ln()).sqrt();
        let normal = radius * (std::f32::consts::TAU * random.f32()).cos();
        let cube = (1.0 + c * normal).powi(3);
        if cube > 0.0 && uniform(random).ln() < 0.5 * normal * normal + d - d * cube + d * cube.ln() {
            return d * cube;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_moves_are_kept() {
        assert!(least_share(&[0.5, 0.5]) <= 0.0);
        let shares: Vec<f32> = (0..100).map(|place| place as f32).collect();
        assert!((least_share(&shares) - 52.0).abs() < 1e-6);
    }

    #[test]
    fn chance_has_the_right_mean() {
        let mut random = fastrand::Rng::with_seed(1);
        for shape in [0.1, 0.7, 2.5] {
            let mean = (0..20_000).map(|_| gamma(shape, &mut random)).sum::<f32>() / 20_000.0;
            assert!((mean / shape - 1.0).abs() < 0.1, "{shape}: {mean}");
        }
        let mut children: Vec<Node> = (0..5).map(|_| Node::new(None, 0.2)).collect();
        disturb(&mut children, 0.25, &mut random);
        let sum: f32 = children.iter().map(|child| child.bias).sum();
        assert!((sum - 1.0).abs() < 1e-5 && children.iter().all(|child| child.bias >= 0.15));
    }
}
