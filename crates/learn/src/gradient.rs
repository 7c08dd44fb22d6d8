//! What one position says about the numbers of a network: how far it is off, and in which direction each number
//! should go.

use game::Colour;
use network::samples::Samples;
use network::{Parameters, Shape};

/// Memory for one position, used again and again.
pub(crate) struct Gradient {
    shape: Shape,
    /// What all positions so far say, in the order of the parameters.
    pub(crate) sums: Vec<f32>,
    /// The mover's features and the opponent's.
    features: [Vec<usize>; 2],
    /// The entries of the mover's patterns.
    entries: Vec<u32>,
    /// Sums of the first layer, the mover's half first.
    before: Vec<f32>,
    /// The same, clipped and squared.
    active: Vec<f32>,
    /// How much each of them matters.
    blame: Vec<f32>,
}

impl Gradient {
    pub(crate) fn new(shape: Shape) -> Gradient {
        let both = vec![0.0; 2 * shape.width];
        Gradient {
            shape,
            sums: vec![0.0; shape.parameters()],
            features: [Vec::new(), Vec::new()],
            entries: Vec::new(),
            before: both.clone(),
            active: both.clone(),
            blame: both,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.sums.fill(0.0);
    }

    /// Sums and neurons of a sample; returns its phase and what the network expects, from 0 to 1.
    fn forward(
        &mut self,
        parameters: &Parameters,
        samples: &Samples,
        index: usize,
        neurons: &mut [f32],
    ) -> (usize, f32) {
        let Shape { width, hidden, phases, entries, tables, .. } = self.shape;
        let [first, first_biases, dense, dense_biases, last, last_biases, patterns] = parameters.parts();
        let (steps, known) = (samples.steps(index), samples.known(index));
        let inputs = samples.inputs();
        let views: [Colour; 2] = [known.mover, known.mover.opponent()];
        for (half, view) in views.into_iter().enumerate() {
            let sums = &mut self.before[half * width..][..width];
            sums.copy_from_slice(first_biases);
            self.features[half].clear();
            self.features[half].extend(inputs.active(steps, view));
            for &feature in &self.features[half] {
                let row = &first[feature * width..][..width];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
        for (active, before) in self.active.iter_mut().zip(&self.before) {
            let clipped = before.clamp(0.0, 1.0);
            *active = clipped * clipped;
        }
        let pieces = inputs.pieces(steps);
        let phase = inputs.phase(pieces, phases);
        let mut out = last_biases[phase];
        out += parameters.corrects.map_or(0.0, |corrected| corrected.exponent(known.plain));
        for (neuron, value) in neurons.iter_mut().enumerate().take(hidden) {
            let row = phase * hidden + neuron;
            *value = dense_biases[row] + dot(&dense[row * 2 * width..][..2 * width], &self.active);
            out += last[row] * value.clamp(0.0, 1.0);
        }
        if tables > 0 {
            inputs.patterns().active(steps, known.mover, &mut self.entries);
            let begin = (inputs.phase(pieces, tables) * entries) as u32;
            self.entries.iter_mut().for_each(|entry| *entry += begin);
            out += self.entries.iter().map(|&entry| patterns[entry as usize]).sum::<f32>();
        }
        (phase, sigmoid(out))
    }

    /// How far the network is off for a sample that should be worth `target`.
    pub(crate) fn error(
        &mut self,
        parameters: &Parameters,
        samples: &Samples,
        index: usize,
        target: f32,
    ) -> f32 {
        let mut neurons = [0.0; Shape::HIDDEN_MAX];
        let (_, expected) = self.forward(parameters, samples, index, &mut neurons);
        (expected - target).powi(2)
    }

    /// Adds what a sample says that should be worth `target`; returns how far the network is off.
    pub(crate) fn add(
        &mut self,
        parameters: &Parameters,
        samples: &Samples,
        index: usize,
        target: f32,
    ) -> f32 {
        let Shape { width, hidden, .. } = self.shape;
        let mut neurons = [0.0; Shape::HIDDEN_MAX];
        let (phase, expected) = self.forward(parameters, samples, index, &mut neurons);
        let [_, _, dense, _, last, _, _] = parameters.parts();
        let sizes = self.shape.parts();
        let mut rest = self.sums.as_mut_slice();
        let [first_sums, first_bias_sums, dense_sums, dense_bias_sums, last_sums, last_bias_sums, patterns] =
            sizes.map(|size| {
                let (part, behind) = std::mem::take(&mut rest).split_at_mut(size);
                rest = behind;
                part
            });
        // The gradient of the cross entropy, which does not vanish where the network is sure and wrong.
        let slope = expected - target;
        last_bias_sums[phase] += slope;
        self.entries.iter().for_each(|&entry| patterns[entry as usize] += slope);
        self.blame.fill(0.0);
        for (neuron, value) in neurons.iter().enumerate().take(hidden) {
            let row = phase * hidden + neuron;
            last_sums[row] += slope * value.clamp(0.0, 1.0);
            if !(0.0..1.0).contains(value) {
                continue;
            }
            let slope = slope * last[row];
            dense_bias_sums[row] += slope;
            let weights = &dense[row * 2 * width..][..2 * width];
            let sums = &mut dense_sums[row * 2 * width..][..2 * width];
            for (((sum, active), blame), weight) in
                sums.iter_mut().zip(&self.active).zip(&mut self.blame).zip(weights)
            {
                *sum += slope * active;
                *blame += slope * weight;
            }
        }
        for (blame, before) in self.blame.iter_mut().zip(&self.before) {
            *blame *= if *before > 0.0 && *before < 1.0 { 2.0 * before } else { 0.0 };
        }
        for (half, features) in self.features.iter().enumerate() {
            let blame = &self.blame[half * width..][..width];
            first_bias_sums.iter_mut().zip(blame).for_each(|(sum, blame)| *sum += blame);
            for feature in features {
                let row = &mut first_sums[feature * width..][..width];
                row.iter_mut().zip(blame).for_each(|(sum, blame)| *sum += blame);
            }
        }
        slope * slope
    }
}

/// Eight sums side by side, so that the compiler may use vectors; always in the same order.
fn dot(one: &[f32], other: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    for (one, other) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum()
}

pub(crate) fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}
