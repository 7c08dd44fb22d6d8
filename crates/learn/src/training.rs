//! Learning the numbers of a network from judged positions, by Adam. The same positions, seed and settings give the
//! same network on any number of threads: a batch is always cut into the same parts, which are added up in the same
//! order.

use network::samples::{CERTAIN, Ended, Samples};
use network::{Corrected, Parameters, Shape, UNIT, checksum};

use crate::gradient::{Gradient, sigmoid};

/// Positions whose gradients are added up before the numbers change.
const BATCH: usize = 512;
/// Parts of a batch; so many threads can be of use.
const PARTS: usize = 8;
/// One position in so many is kept back to see whether what was learned holds elsewhere.
const KEPT_BACK: usize = 32;
/// How fast the moments of the gradient forget.
const FORGET: [f32; 2] = [0.9, 0.999];
/// How the state of a training begins.
const MAGIC: &[u8; 8] = b"mgtrain3";
/// Numbers stay within this, so that they can be written as whole ones.
const LIMIT: f32 = 6.0;

/// How a network is to be learned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Course {
    /// Begins the order of positions.
    pub seed: u64,
    /// How often all positions are looked at.
    pub epochs: u32,
    /// How far numbers go at most in one step at the beginning; a tenth of that at the end.
    pub rate: f32,
    /// How much the result of the game counts, beside what the search said.
    pub result_share: f32,
    /// Threads at work.
    pub threads: usize,
}

/// Why a trainer cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the state of the training is damaged, or belongs to a network of another shape")]
pub struct TrainerError;

/// A network that is being learned.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer {
    /// Its numbers.
    pub parameters: Parameters,
    moments: [Vec<f32>; 2],
    /// Batches so far.
    batches: u64,
    /// Batches of the present course.
    done: u64,
}

/// A random number for each place, the same everywhere.
fn shuffled(count: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    order
}

impl Trainer {
    /// A network of this shape that knows nothing, and says nothing to what it corrects.
    #[must_use]
    pub fn new(shape: Shape, corrects: Option<Corrected>, seed: u64) -> Trainer {
        let mut random = fastrand::Rng::with_seed(seed);
        let last = if corrects.is_some() { 0.0 } else { (3.0 / shape.hidden.max(1) as f32).sqrt() };
        let reach = [0.2, 0.0, (3.0 / (2 * shape.width.max(1)) as f32).sqrt(), 0.0, last, 0.0, 0.0];
        let middle = [0.0, 0.3, 0.0, 0.2, 0.0, 0.0, 0.0];
        let mut values = Vec::with_capacity(shape.parameters());
        for (part, count) in shape.parts().into_iter().enumerate() {
            values.extend((0..count).map(|_| middle[part] + reach[part] * (2.0 * random.f32() - 1.0)));
        }
        let moments = [vec![0.0; values.len()], vec![0.0; values.len()]];
        Trainer { parameters: Parameters { shape, values, corrects }, moments, batches: 0, done: 0 }
    }

    /// Begins the next course with the numbers as they are.
    pub fn begin(&mut self) {
        self.done = 0;
        self.batches = 0;
        self.moments.iter_mut().for_each(|moments| moments.fill(0.0));
    }

    /// How much of a course is done, from 0 to 1.
    #[must_use]
    pub fn progress(&self, course: &Course, samples: &Samples) -> f64 {
        self.done as f64 / batches(course, samples).max(1) as f64
    }

    /// Goes on with a course until it is done, or `go_on` says no after a batch. Returns whether it is done.
    pub fn train(
        &mut self,
        course: &Course,
        samples: &Samples,
        go_on: &mut dyn FnMut(&Trainer) -> bool,
    ) -> bool {
        let all = batches(course, samples);
        let in_epoch = all / u64::from(course.epochs.max(1));
        let kept: Vec<u32> = learned_from(samples).collect();
        let mut parts: Vec<Gradient> = (0..PARTS).map(|_| Gradient::new(self.parameters.shape)).collect();
        let mut order = (u64::MAX, Vec::new());
        while self.done < all {
            let epoch = self.done / in_epoch;
            if order.0 != epoch {
                order = (epoch, shuffled(kept.len(), course.seed.wrapping_add(epoch)));
            }
            let first = (self.done % in_epoch) as usize * BATCH;
            let batch: Vec<u32> = order.1[first..(first + BATCH).min(kept.len())]
                .iter()
                .map(|&place| kept[place as usize])
                .collect();
            self.add_up(course, samples, &batch, &mut parts);
            let rate = course.rate * (1.0 - 0.9 * self.done as f32 / all as f32);
            self.step(rate, &parts, batch.len());
            self.done += 1;
            if !go_on(self) {
                return self.done >= all;
            }
        }
        true
    }

    /// The gradients of a batch, part by part.
    fn add_up(&self, course: &Course, samples: &Samples, batch: &[u32], parts: &mut [Gradient]) {
        let size = batch.len().div_ceil(PARTS).max(1);
        let work = |part: &mut Gradient, batch: &[u32]| {
            part.clear();
            for &index in batch {
                let target = target(samples, index as usize, course.result_share);
                part.add(&self.parameters, samples, index as usize, target);
            }
        };
        let batches = (0..PARTS).map(|part| batch.chunks(size).nth(part).unwrap_or_default());
        let mut jobs: Vec<(&mut Gradient, &[u32])> = parts.iter_mut().zip(batches).collect();
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

    /// One step of Adam.
    fn step(&mut self, rate: f32, parts: &[Gradient], count: usize) {
        self.batches += 1;
        let steps = self.batches.min(100_000) as i32;
        let [first, second] = FORGET.map(|forget| 1.0 / (1.0 - forget.powi(steps)));
        let share = 1.0 / count.max(1) as f32;
        let [means, squares] = &mut self.moments;
        let numbers = self.parameters.values.iter_mut().zip(means).zip(squares);
        for (index, ((value, mean), square)) in numbers.enumerate() {
            let gradient = share * parts.iter().map(|part| part.sums[index]).sum::<f32>();
            *mean += (1.0 - FORGET[0]) * (gradient - *mean);
            *square += (1.0 - FORGET[1]) * (gradient * gradient - *square);
            let change = rate * *mean * first / ((*square * second).sqrt() + 1e-8);
            *value = (*value - change).clamp(-LIMIT, LIMIT);
        }
    }

    /// The mean squared error for the positions that are kept back.
    #[must_use]
    pub fn loss(&self, course: &Course, samples: &Samples) -> f64 {
        let mut gradient = Gradient::new(self.parameters.shape);
        let (mut sum, mut count) = (0.0, 0);
        for index in (0..samples.len()).step_by(KEPT_BACK) {
            let target = target(samples, index, course.result_share);
            sum += f64::from(gradient.error(&self.parameters, samples, index, target));
            count += 1;
        }
        sum / f64::from(count.max(1))
    }

    /// All that is needed to go on, as bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let corrected = self.parameters.corrects.unwrap_or(Corrected { fingerprint: 0, scale: 0 });
        let sizes = self.parameters.shape.sizes().map(|size| size as u64);
        let far = [self.batches, self.done, corrected.fingerprint, corrected.scale as u64];
        for number in sizes.into_iter().chain(far) {
            bytes.extend(number.to_le_bytes());
        }
        for values in [&self.parameters.values, &self.moments[0], &self.moments[1]] {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The trainer that was written, for a network of this shape.
    ///
    /// # Errors
    /// When the bytes are not whole, or belong to another shape.
    pub fn read(bytes: &[u8], shape: Shape) -> Result<Trainer, TrainerError> {
        const WORD: usize = size_of::<u64>();
        const HEAD: usize = 11 * WORD;
        let count = shape.parameters();
        if bytes.len() != HEAD + 3 * count * size_of::<f32>() + WORD || !bytes.starts_with(MAGIC) {
            return Err(TrainerError);
        }
        let word = |place: usize| {
            let mut word = [0; WORD];
            word.copy_from_slice(&bytes[place..place + WORD]);
            u64::from_le_bytes(word)
        };
        let (body, _) = bytes.split_at(bytes.len() - WORD);
        let sizes = shape.sizes().map(|size| size as u64);
        if checksum(body) != word(body.len())
            || std::array::from_fn(|place| word(WORD * (place + 1))) != sizes
        {
            return Err(TrainerError);
        }
        let mut numbers = body[HEAD..].chunks_exact(size_of::<f32>()).map(|chunk| {
            let mut number = [0; size_of::<f32>()];
            number.copy_from_slice(chunk);
            f32::from_le_bytes(number)
        });
        let mut part = || numbers.by_ref().take(count).collect::<Vec<f32>>();
        let (values, moments) = (part(), [part(), part()]);
        let corrected = Corrected { fingerprint: word(9 * WORD), scale: word(10 * WORD) as i32 };
        let corrects = Some(corrected).filter(|corrected| corrected.scale > 0);
        Ok(Trainer {
            parameters: Parameters { shape, values, corrects },
            moments,
            batches: word(7 * WORD),
            done: word(8 * WORD),
        })
    }
}

/// The positions that are not kept back.
fn learned_from(samples: &Samples) -> impl Iterator<Item = u32> {
    (0..samples.len() as u32).filter(|index| !(*index as usize).is_multiple_of(KEPT_BACK))
}

/// The batches of a course.
fn batches(course: &Course, samples: &Samples) -> u64 {
    let count = samples.len() - samples.len().div_ceil(KEPT_BACK);
    count.div_ceil(BATCH) as u64 * u64::from(course.epochs)
}

/// What a position should be worth to the mover, from 0 to 1.
fn target(samples: &Samples, index: usize, result_share: f32) -> f32 {
    let known = samples.known(index);
    let result = expectation(known.result);
    match known.score {
        CERTAIN.. => 1.0,
        score if score <= -CERTAIN => 0.0,
        score => {
            let searched = sigmoid(f32::from(score) / UNIT as f32);
            result_share * result + (1.0 - result_share) * searched
        }
    }
}

/// What a result is worth, from 0 to 1.
#[must_use]
pub fn expectation(result: Ended) -> f32 {
    match result {
        Ended::Loss => 0.0,
        Ended::Draw => 0.5,
        Ended::Win => 1.0,
    }
}

/// By what estimates have to be multiplied so that 400 are ten to one, as results say.
#[must_use]
pub fn scale(judged: &[(i32, Ended)]) -> f64 {
    let error = |logarithm: f64| {
        let scale = logarithm.exp() / f64::from(UNIT);
        let one = |(estimate, result): &(i32, Ended)| {
            let expected = 1.0 / (1.0 + (-scale * f64::from(*estimate)).exp());
            (expected - f64::from(expectation(*result))).powi(2)
        };
        judged.iter().map(one).sum::<f64>()
    };
    // Golden section between a ten thousandth and a thousand times.
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (-9.0, 7.0);
    for _ in 0..40 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if error(left) < error(right) { high = right } else { low = left }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests;
