//! Learning the numbers of a policy by Adam. As with networks, the same samples, seed and settings give the same
//! policy on any number of threads.

use network::checksum;
use network::policy::{Eyes, PolicyParameters, PolicyShape};

use super::gradient::{Gradient, Lesson, Loss};
use super::samples::{PolicySample, PolicySamples};
use crate::training::{TrainerError, expectation};

/// Samples whose gradients are added up before the numbers change.
const BATCH: usize = 256;
/// Parts of a batch; so many threads can be of use.
const PARTS: usize = 16;
/// One sample in so many is kept back to see whether what was learned holds elsewhere.
const KEPT_BACK: usize = 32;
/// How fast the moments of the gradient forget.
const FORGET: [f32; 2] = [0.9, 0.999];
/// Numbers that say nothing fade by this part of a step.
const FADING: f32 = 0.01;
/// How the state of a training begins.
const MAGIC: &[u8; 8] = b"mgpolic1";

/// How a policy is to be learned.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyCourse {
    /// Begins the order of samples.
    pub seed: u64,
    /// How often all samples are looked at.
    pub epochs: u32,
    /// How far numbers go at most in one step at the beginning; a tenth of that at the end.
    pub rate: f32,
    /// How much the result of the game counts, beside what the search expected.
    pub result_share: f32,
    /// How much the expected result counts beside the moves.
    pub result_weight: f32,
    /// Where fields come to lie by each of the symmetries, the one that moves nothing among them.
    pub symmetries: Vec<Vec<u16>>,
    /// Threads at work.
    pub threads: usize,
}

/// A policy that is being learned.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyTrainer {
    /// Its numbers.
    pub parameters: PolicyParameters,
    moments: [Vec<f32>; 2],
    batches: u64,
    done: u64,
}

/// Calls a function with the number of channels as a constant.
macro_rules! with_channels {
    ($channels:expr, $function:ident($($argument:expr),*)) => {
        match $channels {
            8 => $function::<8>($($argument),*),
            16 => $function::<16>($($argument),*),
            24 => $function::<24>($($argument),*),
            32 => $function::<32>($($argument),*),
            _ => $function::<48>($($argument),*),
        }
    };
}

impl PolicyTrainer {
    /// A policy of this shape that knows nothing: all moves are alike to it.
    #[must_use]
    pub fn new(shape: PolicyShape, seed: u64) -> PolicyTrainer {
        let mut random = fastrand::Rng::with_seed(seed);
        let reach = |inputs: usize| (3.0 / inputs.max(1) as f32).sqrt();
        let (channels, reduced) = (shape.channels, shape.fields * PolicyShape::REDUCED);
        let reaches = [
            0.25,
            0.1,
            0.1,
            0.5 * reach(9 * channels),
            0.2 * reach(channels),
            0.0,
            0.0,
            0.0,
            reach(channels),
            0.0,
            reach(reduced),
            0.0,
            0.3 * reach(PolicyShape::HIDDEN),
            0.0,
        ];
        let mut values = Vec::with_capacity(shape.parameters());
        for (count, reach) in shape.parts().into_iter().zip(reaches) {
            values.extend((0..count).map(|_| reach * (2.0 * random.f32() - 1.0)));
        }
        let moments = [vec![0.0; values.len()], vec![0.0; values.len()]];
        PolicyTrainer { parameters: PolicyParameters { shape, values }, moments, batches: 0, done: 0 }
    }

    /// Begins the next course with the numbers as they are.
    pub fn begin(&mut self) {
        self.done = 0;
        self.batches = 0;
        self.moments.iter_mut().for_each(|moments| moments.fill(0.0));
    }

    /// How much of a course is done, from 0 to 1.
    #[must_use]
    pub fn progress(&self, course: &PolicyCourse, samples: &PolicySamples) -> f64 {
        self.done as f64 / batches(course, samples).max(1) as f64
    }

    /// Goes on with a course until it is done, or `go_on` says no after a batch. Returns whether it is done.
    pub fn train(
        &mut self,
        course: &PolicyCourse,
        eyes: &Eyes,
        samples: &PolicySamples,
        go_on: &mut dyn FnMut(&PolicyTrainer) -> bool,
    ) -> bool {
        with_channels!(self.parameters.shape.channels, train(self, course, eyes, samples, go_on))
    }

    /// The cross entropy of the moves and the mean squared error of the result, for the samples that are kept back.
    #[must_use]
    pub fn loss(&self, course: &PolicyCourse, eyes: &Eyes, samples: &PolicySamples) -> (f64, f64) {
        with_channels!(self.parameters.shape.channels, loss(self, course, eyes, samples))
    }

    /// One step of Adam.
    fn step(&mut self, rate: f32, parts: &[&[f32]], count: usize) {
        self.batches += 1;
        let steps = self.batches.min(100_000) as i32;
        let [first, second] = FORGET.map(|forget| 1.0 / (1.0 - forget.powi(steps)));
        let share = 1.0 / count.max(1) as f32;
        let [means, squares] = &mut self.moments;
        let mut index = 0;
        for (part, count) in self.parameters.shape.parts().into_iter().enumerate() {
            let limit = PolicyParameters::limit(part);
            for _ in 0..count {
                let gradient = share * parts.iter().map(|part| part[index]).sum::<f32>();
                let (mean, square) = (&mut means[index], &mut squares[index]);
                *mean += (1.0 - FORGET[0]) * (gradient - *mean);
                *square += (1.0 - FORGET[1]) * (gradient * gradient - *square);
                let value = &mut self.parameters.values[index];
                let change = rate * (*mean * first / ((*square * second).sqrt() + 1e-8) + FADING * *value);
                *value = (*value - change).clamp(-limit, limit);
                index += 1;
            }
        }
    }

    /// All that is needed to go on, as bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in head(self.parameters.shape).into_iter().chain([self.batches, self.done]) {
            bytes.extend(number.to_le_bytes());
        }
        for values in [&self.parameters.values, &self.moments[0], &self.moments[1]] {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The trainer that was written, for a policy of this shape.
    ///
    /// # Errors
    /// When the bytes are not whole, or belong to another shape.
    pub fn read(bytes: &[u8], shape: PolicyShape) -> Result<PolicyTrainer, TrainerError> {
        const WORD: usize = size_of::<u64>();
        const HEAD: usize = 8 * WORD;
        let count = shape.parameters();
        if bytes.len() != HEAD + 3 * count * size_of::<f32>() + WORD || !bytes.starts_with(MAGIC) {
            return Err(TrainerError);
        }
        let (body, sum) = bytes.split_at(bytes.len() - WORD);
        let words: Vec<u64> =
            body[WORD..HEAD].as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        if checksum(body).to_le_bytes() != *sum || words[..5] != head(shape) {
            return Err(TrainerError);
        }
        let mut numbers = body[HEAD..].as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
        let mut part = || numbers.by_ref().take(count).collect::<Vec<f32>>();
        let (values, moments) = (part(), [part(), part()]);
        let parameters = PolicyParameters { shape, values };
        Ok(PolicyTrainer { parameters, moments, batches: words[5], done: words[6] })
    }
}

fn head(shape: PolicyShape) -> [u64; 5] {
    let PolicyShape { fields, classes, globals, channels, layers } = shape;
    [fields, classes, globals, channels, layers].map(|size| size as u64)
}

/// The batches of a course.
fn batches(course: &PolicyCourse, samples: &PolicySamples) -> u64 {
    let count = samples.len() - samples.len().div_ceil(KEPT_BACK);
    count.div_ceil(BATCH) as u64 * u64::from(course.epochs)
}

/// What is to be learned from a sample in an epoch.
fn lesson<'run>(course: &'run PolicyCourse, sample: &'run PolicySample, turn: u64) -> Lesson<'run> {
    let target =
        course.result_share * expectation(sample.result) + (1.0 - course.result_share) * sample.expected;
    let fields = &course.symmetries[(turn % course.symmetries.len() as u64) as usize];
    Lesson { sample, target, weight: course.result_weight, fields }
}

fn train<const C: usize>(
    trainer: &mut PolicyTrainer,
    course: &PolicyCourse,
    eyes: &Eyes,
    samples: &PolicySamples,
    go_on: &mut dyn FnMut(&PolicyTrainer) -> bool,
) -> bool {
    let all = batches(course, samples);
    let in_epoch = all / u64::from(course.epochs.max(1));
    let learned: Vec<u32> =
        (0..samples.len() as u32).filter(|index| !(*index as usize).is_multiple_of(KEPT_BACK)).collect();
    let shape = trainer.parameters.shape;
    let mut parts: Vec<Gradient<C>> = (0..PARTS).map(|_| Gradient::new(shape)).collect();
    let mut order = (u64::MAX, Vec::new());
    while trainer.done < all {
        let epoch = trainer.done / in_epoch;
        if order.0 != epoch {
            let mut places = learned.clone();
            fastrand::Rng::with_seed(course.seed.wrapping_add(epoch)).shuffle(&mut places);
            order = (epoch, places);
        }
        let first = (trainer.done % in_epoch) as usize * BATCH;
        let batch = &order.1[first..(first + BATCH).min(order.1.len())];
        add_up(trainer, course, eyes, samples, (batch, epoch), &mut parts);
        let rate = course.rate * (1.0 - 0.9 * trainer.done as f32 / all as f32);
        let sums: Vec<&[f32]> = parts.iter().map(|part| part.sums.as_slice()).collect();
        trainer.step(rate, &sums, batch.len());
        trainer.done += 1;
        if !go_on(trainer) {
            return trainer.done >= all;
        }
    }
    true
}

/// The gradients of a batch, part by part.
fn add_up<const C: usize>(
    trainer: &PolicyTrainer,
    course: &PolicyCourse,
    eyes: &Eyes,
    samples: &PolicySamples,
    (batch, epoch): (&[u32], u64),
    parts: &mut [Gradient<C>],
) {
    let size = batch.len().div_ceil(PARTS).max(1);
    let work = |part: &mut Gradient<C>, batch: &[u32]| {
        part.begin(&trainer.parameters, eyes);
        for &index in batch {
            if let Some(sample) = samples.get(index as usize) {
                let turn = u64::from(index).wrapping_mul(0x9e37_79b9).wrapping_add(epoch);
                part.add(&trainer.parameters, eyes, lesson(course, &sample, turn));
            }
        }
    };
    let batches = (0..PARTS).map(|part| batch.chunks(size).nth(part).unwrap_or_default());
    let mut jobs: Vec<(&mut Gradient<C>, &[u32])> = parts.iter_mut().zip(batches).collect();
    let share = PARTS.div_ceil(course.threads.clamp(1, PARTS));
    std::thread::scope(|scope| {
        let mut shares = jobs.chunks_mut(share);
        let own = shares.next();
        for share in shares {
            scope.spawn(move || share.iter_mut().for_each(|(part, batch)| work(part, batch)));
        }
        own.into_iter().flatten().for_each(|(part, batch)| work(part, batch));
    });
}

fn loss<const C: usize>(
    trainer: &PolicyTrainer,
    course: &PolicyCourse,
    eyes: &Eyes,
    samples: &PolicySamples,
) -> (f64, f64) {
    let mut gradient = Gradient::<C>::new(trainer.parameters.shape);
    gradient.begin(&trainer.parameters, eyes);
    let (mut sum, mut count) = (Loss::default(), 0);
    for sample in (0..samples.len()).step_by(KEPT_BACK).filter_map(|index| samples.get(index)) {
        let one = gradient.loss(&trainer.parameters, eyes, lesson(course, &sample, 0));
        (sum.moves, sum.result) = (sum.moves + one.moves, sum.result + one.result);
        count += 1;
    }
    let count = f64::from(count.max(1));
    (sum.moves / count, sum.result / count)
}
