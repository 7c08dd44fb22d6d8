//! What a policy says of a sample, in fractions, and in which direction its numbers should go.

use network::policy::{AROUND, Eyes, NEAR, PolicyParameters, PolicyShape};

use super::layers::{add, dot, rows, rows_mut};
use super::samples::PolicySample;
use crate::gradient::sigmoid;

const REDUCED: usize = PolicyShape::REDUCED;
const HIDDEN: usize = PolicyShape::HIDDEN;
const CLIP: f32 = PolicyParameters::CLIP;

/// How wrong a policy is.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Loss {
    /// The cross entropy of the moves.
    pub(super) moves: f64,
    /// The squared error of the expected result.
    pub(super) result: f64,
}

/// What a sample should teach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lesson<'run> {
    pub(super) sample: &'run PolicySample,
    /// The result to expect, from 0 to 1.
    pub(super) target: f32,
    /// How much the expected result counts beside the moves.
    pub(super) weight: f32,
    /// Where fields come to lie: one of the symmetries.
    pub(super) fields: &'run [u16],
}

/// Sums of gradients, and memory for one sample. `C` is the number of channels.
pub(super) struct Gradient<const C: usize> {
    /// In the order of the parameters.
    pub(super) sums: Vec<f32>,
    shape: PolicyShape,
    /// By layer, then field; behind the last field a row of zeros.
    numbers: Vec<Vec<[f32; C]>>,
    means: Vec<[f32; C]>,
    /// The gradient of one layer's numbers, and of the layer before.
    now: Vec<[f32; C]>,
    before: Vec<[f32; C]>,
    reduced: Vec<f32>,
    /// The first layer of an empty board.
    empty: Vec<[f32; C]>,
    /// Things and moves after turning the board.
    things: Vec<u16>,
    exponents: Vec<f32>,
}

fn clip(value: f32) -> f32 {
    value.clamp(0.0, CLIP)
}

/// Whether a clipped number moves with what it was made of.
fn moves(value: f32) -> bool {
    value > 0.0 && value < CLIP
}

/// The parts of sums, in the order of [`PolicyShape::parts`].
fn parts_mut(shape: PolicyShape, sums: &mut [f32]) -> [&mut [f32]; PolicyShape::PARTS] {
    let mut rest = sums;
    shape.parts().map(|count| {
        let (part, behind) = std::mem::take(&mut rest).split_at_mut(count);
        rest = behind;
        part
    })
}

impl<const C: usize> Gradient<C> {
    pub(super) fn new(shape: PolicyShape) -> Gradient<C> {
        let board = || vec![[0.0; C]; shape.fields + 1];
        Gradient {
            sums: vec![0.0; shape.parameters()],
            shape,
            numbers: (0..=shape.layers).map(|_| board()).collect(),
            means: vec![[0.0; C]; shape.layers],
            now: board(),
            before: board(),
            reduced: vec![0.0; shape.fields * REDUCED],
            empty: Vec::new(),
            things: Vec::new(),
            exponents: Vec::new(),
        }
    }

    /// Begins a batch with these numbers.
    pub(super) fn begin(&mut self, parameters: &PolicyParameters, eyes: &Eyes) {
        self.sums.fill(0.0);
        let [first, biases, ..] = parameters.parts();
        let (first, fields) = (rows::<C>(first), self.shape.fields);
        let bias = rows::<C>(biases)[0];
        self.empty.clear();
        self.empty.extend(eyes.around().iter().map(|around| {
            let mut row = bias;
            let outside = around.iter().enumerate().filter(|(_, field)| usize::from(**field) == fields);
            outside.for_each(|(place, _)| add(&mut row, 1.0, &first[place]));
            row
        }));
    }

    /// What the policy says of a sample: the exponents of its moves are left behind, and the neurons and the exponent
    /// of the result returned.
    fn forward(
        &mut self,
        parameters: &PolicyParameters,
        eyes: &Eyes,
        lesson: Lesson<'_>,
    ) -> ([f32; HIDDEN], f32) {
        let PolicyShape { fields, classes, .. } = self.shape;
        let parts = parameters.parts();
        let (first, globals) = (rows::<C>(parts[0]), rows::<C>(parts[2]));
        let mut beside = [0.0; C];
        lesson.sample.globals.iter().for_each(|&global| add(&mut beside, 1.0, &globals[usize::from(global)]));
        let board = &mut self.numbers[0];
        board[..fields].copy_from_slice(&self.empty);
        self.things.clear();
        self.things.extend(lesson.sample.things.iter().map(|&thing| turned(thing, classes, lesson.fields)));
        for &thing in &self.things {
            let (field, class) = (usize::from(thing) / classes, usize::from(thing) % classes);
            for (place, &seer) in eyes.around()[field].iter().rev().enumerate() {
                if usize::from(seer) < fields {
                    add(&mut board[usize::from(seer)], 1.0, &first[class * AROUND + place]);
                }
            }
        }
        for &field in eyes.used() {
            let row = &mut board[usize::from(field)];
            row.iter_mut().zip(beside).for_each(|(number, beside)| *number = clip(*number + beside));
        }
        let is_used = |field: usize| eyes.used().binary_search(&(field as u16)).is_ok();
        (0..fields).filter(|field| !is_used(*field)).for_each(|field| board[field] = [0.0; C]);
        for layer in 0..self.shape.layers {
            self.layer(&parts, eyes, layer);
        }
        let last = &self.numbers[self.shape.layers];
        let (by_class, places) = (rows::<C>(parts[6]), parts[7]);
        self.exponents.clear();
        self.exponents.extend(lesson.sample.moves.iter().map(|(share, targets)| {
            let others = if *share > 0.0 { 0.0 } else { lesson.sample.others };
            targets.iter().fold(others, |sum, &target| {
                let target = usize::from(turned(target, classes, lesson.fields));
                sum + places[target] + dot(&last[target / classes], &by_class[target % classes])
            })
        }));
        let (reduce, reduced_biases, dense) = (rows::<C>(parts[8]), parts[9], rows::<HIDDEN>(parts[10]));
        let mut neurons = rows::<HIDDEN>(parts[11])[0];
        for &field in eyes.used() {
            for number in 0..REDUCED {
                let place = usize::from(field) * REDUCED + number;
                let value = clip(dot(&last[usize::from(field)], &reduce[number]) + reduced_biases[number]);
                self.reduced[place] = value;
                if value > 0.0 {
                    add(&mut neurons, value, &dense[place]);
                }
            }
        }
        neurons.iter_mut().for_each(|neuron| *neuron = clip(*neuron));
        let result = parts[13][0] + dot(&neurons, &rows::<HIDDEN>(parts[12])[0]);
        (neurons, result)
    }

    fn layer(&mut self, parts: &[&[f32]; PolicyShape::PARTS], eyes: &Eyes, layer: usize) {
        let fields = self.shape.fields;
        let (below, above) = self.numbers.split_at_mut(layer + 1);
        let (below, above) = (&below[layer], &mut above[0]);
        let share = 1.0 / eyes.used().len().max(1) as f32;
        let mut mean = [0.0; C];
        eyes.used().iter().for_each(|&field| add(&mut mean, share, &below[usize::from(field)]));
        self.means[layer] = mean;
        let weights = &rows::<C>(parts[3])[layer * NEAR * C..][..NEAR * C];
        let by_mean = &rows::<C>(parts[4])[layer * C..][..C];
        let mut base = rows::<C>(parts[5])[layer];
        (0..C).for_each(|channel| add(&mut base, mean[channel], &by_mean[channel]));
        for &field in eyes.used() {
            let field = usize::from(field);
            let mut sums = base;
            add(&mut sums, 1.0, &below[field]);
            for (place, &other) in eyes.near()[field].iter().enumerate() {
                if usize::from(other) >= fields {
                    continue;
                }
                for (channel, &value) in below[usize::from(other)].iter().enumerate() {
                    if value > 0.0 {
                        add(&mut sums, value, &weights[place * C + channel]);
                    }
                }
            }
            above[field] = sums.map(clip);
        }
    }

    /// How wrong the policy is for a sample.
    pub(super) fn loss(&mut self, parameters: &PolicyParameters, eyes: &Eyes, lesson: Lesson<'_>) -> Loss {
        let (_, result) = self.forward(parameters, eyes, lesson);
        self.softmax();
        self.measured(lesson, result)
    }

    /// The shares of the moves and the expected result, from 0 to 1.
    #[cfg(test)]
    pub(super) fn said(
        &mut self,
        parameters: &PolicyParameters,
        eyes: &Eyes,
        lesson: Lesson<'_>,
    ) -> (Vec<f32>, f32) {
        let (_, result) = self.forward(parameters, eyes, lesson);
        self.softmax();
        (self.exponents.clone(), sigmoid(result))
    }

    fn measured(&self, lesson: Lesson<'_>, result: f32) -> Loss {
        let shares = self.exponents.iter().zip(&lesson.sample.moves);
        let of_move = |(found, (wanted, _)): (&f32, &(f32, Vec<u16>))| {
            -f64::from(*wanted) * f64::from(found.max(1e-9)).ln()
        };
        let error = f64::from(sigmoid(result) - lesson.target);
        Loss { moves: shares.map(of_move).sum(), result: error * error }
    }

    fn softmax(&mut self) {
        let most = self.exponents.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        self.exponents.iter_mut().for_each(|exponent| *exponent = (*exponent - most).exp());
        let sum: f32 = self.exponents.iter().sum();
        self.exponents.iter_mut().for_each(|exponent| *exponent /= sum);
    }

    /// Adds the gradient of a sample.
    pub(super) fn add(&mut self, parameters: &PolicyParameters, eyes: &Eyes, lesson: Lesson<'_>) -> Loss {
        let (neurons, result) = self.forward(parameters, eyes, lesson);
        self.softmax();
        let parts = parameters.parts();
        let mut sums = std::mem::take(&mut self.sums);
        {
            let mut into = parts_mut(self.shape, &mut sums);
            self.now.fill([0.0; C]);
            self.of_moves(&parts, &mut into, lesson);
            self.of_result(
                &parts,
                &mut into,
                eyes,
                lesson.weight * (sigmoid(result) - lesson.target),
                &neurons,
            );
            for layer in (0..self.shape.layers).rev() {
                self.of_layer(&parts, &mut into, eyes, layer);
            }
            self.of_first_layer(&mut into, eyes, lesson);
        }
        self.sums = sums;
        self.measured(lesson, result)
    }

    fn of_moves(
        &mut self,
        parts: &[&[f32]; PolicyShape::PARTS],
        into: &mut [&mut [f32]; PolicyShape::PARTS],
        lesson: Lesson<'_>,
    ) {
        let classes = self.shape.classes;
        let (by_class, last) = (rows::<C>(parts[6]), &self.numbers[self.shape.layers]);
        for ((wanted, targets), found) in lesson.sample.moves.iter().zip(&self.exponents) {
            let slope = found - wanted;
            for &target in targets {
                let target = usize::from(turned(target, classes, lesson.fields));
                let (field, class) = (target / classes, target % classes);
                into[7][target] += slope;
                add(&mut rows_mut::<C>(into[6])[class], slope, &last[field]);
                add(&mut self.now[field], slope, &by_class[class]);
            }
        }
    }

    fn of_result(
        &mut self,
        parts: &[&[f32]; PolicyShape::PARTS],
        into: &mut [&mut [f32]; PolicyShape::PARTS],
        eyes: &Eyes,
        slope: f32,
        neurons: &[f32; HIDDEN],
    ) {
        into[13][0] += slope;
        add(&mut rows_mut::<HIDDEN>(into[12])[0], slope, neurons);
        let mut hidden = rows::<HIDDEN>(parts[12])[0].map(|weight| weight * slope);
        for (slope, neuron) in hidden.iter_mut().zip(neurons) {
            *slope = if moves(*neuron) { *slope } else { 0.0 };
        }
        add(&mut rows_mut::<HIDDEN>(into[11])[0], 1.0, &hidden);
        let (reduce, dense) = (rows::<C>(parts[8]), rows::<HIDDEN>(parts[10]));
        let last = &self.numbers[self.shape.layers];
        for &field in eyes.used() {
            let field = usize::from(field);
            for number in 0..REDUCED {
                let place = field * REDUCED + number;
                let value = self.reduced[place];
                if !moves(value) {
                    continue;
                }
                add(&mut rows_mut::<HIDDEN>(into[10])[place], value, &hidden);
                let slope = dot(&dense[place], &hidden);
                into[9][number] += slope;
                add(&mut rows_mut::<C>(into[8])[number], slope, &last[field]);
                add(&mut self.now[field], slope, &reduce[number]);
            }
        }
    }

    /// From the slopes behind a layer to those before it.
    fn of_layer(
        &mut self,
        parts: &[&[f32]; PolicyShape::PARTS],
        into: &mut [&mut [f32]; PolicyShape::PARTS],
        eyes: &Eyes,
        layer: usize,
    ) {
        let fields = self.shape.fields;
        let (below, above) = (&self.numbers[layer], &self.numbers[layer + 1]);
        let weights = &rows::<C>(parts[3])[layer * NEAR * C..][..NEAR * C];
        let (now, before) = (&mut self.now, &mut self.before);
        before.fill([0.0; C]);
        let mut all = [0.0; C];
        let into_weights = &mut rows_mut::<C>(into[3])[layer * NEAR * C..][..NEAR * C];
        for &field in eyes.used() {
            let field = usize::from(field);
            for (slope, number) in now[field].iter_mut().zip(&above[field]) {
                *slope = if moves(*number) { *slope } else { 0.0 };
            }
            let slopes = now[field];
            add(&mut all, 1.0, &slopes);
            add(&mut before[field], 1.0, &slopes);
            for (place, &other) in eyes.near()[field].iter().enumerate() {
                let other = usize::from(other);
                if other >= fields {
                    continue;
                }
                for channel in 0..C {
                    let value = below[other][channel];
                    // What is clipped gets no slope anyway.
                    if value > 0.0 {
                        add(&mut into_weights[place * C + channel], value, &slopes);
                        before[other][channel] += dot(&weights[place * C + channel], &slopes);
                    }
                }
            }
        }
        add(&mut rows_mut::<C>(into[5])[layer], 1.0, &all);
        let by_mean = &rows::<C>(parts[4])[layer * C..][..C];
        let into_mean = &mut rows_mut::<C>(into[4])[layer * C..][..C];
        let share = 1.0 / eyes.used().len().max(1) as f32;
        let mut of_mean = [0.0; C];
        for channel in 0..C {
            add(&mut into_mean[channel], self.means[layer][channel], &all);
            of_mean[channel] = share * dot(&by_mean[channel], &all);
        }
        eyes.used().iter().for_each(|&field| add(&mut before[usize::from(field)], 1.0, &of_mean));
        std::mem::swap(now, before);
    }

    fn of_first_layer(
        &mut self,
        into: &mut [&mut [f32]; PolicyShape::PARTS],
        eyes: &Eyes,
        lesson: Lesson<'_>,
    ) {
        let PolicyShape { fields, classes, .. } = self.shape;
        let mut all = [0.0; C];
        for &field in eyes.used() {
            let field = usize::from(field);
            for (slope, number) in self.now[field].iter_mut().zip(&self.numbers[0][field]) {
                *slope = if moves(*number) { *slope } else { 0.0 };
            }
            add(&mut all, 1.0, &self.now[field]);
            for (place, &other) in eyes.around()[field].iter().enumerate() {
                if usize::from(other) == fields {
                    add(&mut rows_mut::<C>(into[0])[place], 1.0, &self.now[field]);
                }
            }
        }
        add(&mut rows_mut::<C>(into[1])[0], 1.0, &all);
        for &global in &lesson.sample.globals {
            add(&mut rows_mut::<C>(into[2])[usize::from(global)], 1.0, &all);
        }
        let is_used = |field: usize| eyes.used().binary_search(&(field as u16)).is_ok();
        for &thing in &self.things {
            let (field, class) = (usize::from(thing) / classes, usize::from(thing) % classes);
            for (place, &seer) in eyes.around()[field].iter().rev().enumerate() {
                if usize::from(seer) < fields && is_used(usize::from(seer)) {
                    let row = &mut rows_mut::<C>(into[0])[class * AROUND + place];
                    add(row, 1.0, &self.now[usize::from(seer)]);
                }
            }
        }
    }
}

/// A thing on a field after turning the board.
fn turned(thing: u16, classes: usize, fields: &[u16]) -> u16 {
    let (field, class) = (usize::from(thing) / classes, usize::from(thing) % classes);
    (usize::from(fields[field]) * classes + class) as u16
}
