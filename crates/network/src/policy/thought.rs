//! A policy at work.

use std::cell::RefCell;
use std::sync::Arc;

use game::{Colour, MoveList};

use super::exponent::{sigmoid, softmax};
use super::kernel::products;
use super::numbers::{FIRST_BITS, MOST, SUM, WEIGHT_BITS};
use super::{AROUND, Eyes, NEAR, PolicyShape, Seen};
use crate::kernel;

thread_local! {
    /// Memory that is used again and again.
    static DESK: RefCell<Desk> = RefCell::default();
}

/// A policy for one game.
#[derive(Clone, Debug)]
pub struct MovePolicy {
    pub(super) shape: PolicyShape,
    pub(super) eyes: Arc<Eyes>,
    /// As files have them.
    pub(super) numbers: [Vec<i32>; PolicyShape::PARTS],
    ready: Ready,
}

impl PartialEq for MovePolicy {
    fn eq(&self, other: &MovePolicy) -> bool {
        self.shape == other.shape && self.eyes == other.eyes && self.numbers == other.numbers
    }
}

impl Eq for MovePolicy {}

/// The numbers in the order in which they are needed.
#[derive(Clone, Debug)]
struct Ready {
    /// By class, field around, channel.
    first: Vec<i16>,
    /// The first layer of an empty board: by field, channel.
    empty: Vec<i16>,
    globals: Vec<i16>,
    /// By layer, channel it goes to, near field, channel it comes from.
    layers: Vec<i16>,
    /// By layer, channel it goes to, channel it comes from.
    means: Vec<i16>,
    moves: Vec<i16>,
    reduced: Vec<i16>,
    /// By neuron, field, number.
    dense: Vec<i16>,
}

#[derive(Default)]
struct Desk {
    values: Vec<i32>,
    /// By field and channel; behind the last field a row of zeros.
    now: Vec<i16>,
    next: Vec<i16>,
    patch: Vec<i16>,
    sums: Vec<i32>,
    mean: Vec<i16>,
    mean_sums: Vec<i32>,
    reduced: Vec<i16>,
    /// By field and class: what a move is worth that leads to it, as far as it is known.
    targets: Vec<i32>,
}

/// What a target is worth that was not asked for yet.
const UNKNOWN: i32 = i32::MIN;

fn small(values: &[i32]) -> Vec<i16> {
    values.iter().map(|&value| value.clamp(-32_767, 32_767) as i16).collect()
}

/// Rows become columns, in each of the blocks of so many rows.
fn turned(values: &[i32], rows: usize, columns: usize) -> Vec<i16> {
    let block = |block: &[i32]| {
        (0..columns * rows).map(|place| block[place % rows * columns + place / rows]).collect::<Vec<_>>()
    };
    values.chunks_exact(rows * columns).flat_map(|values| small(&block(values))).collect()
}

impl Ready {
    fn new(shape: PolicyShape, eyes: &Eyes, numbers: &[Vec<i32>; PolicyShape::PARTS]) -> Ready {
        let PolicyShape { fields, channels, .. } = shape;
        let (first, biases) = (small(&numbers[0]), small(&numbers[1]));
        let mut empty = Vec::with_capacity(fields * channels);
        for around in eyes.around() {
            let mut row = biases.clone();
            for (place, _) in around.iter().enumerate().filter(|(_, field)| usize::from(**field) == fields) {
                kernel::plain::add(&mut row, &first[place * channels..][..channels]);
            }
            empty.extend(row);
        }
        Ready {
            first,
            empty,
            globals: small(&numbers[2]),
            layers: turned(&numbers[3], NEAR * channels, channels),
            means: turned(&numbers[4], channels, channels),
            moves: small(&numbers[6]),
            reduced: small(&numbers[8]),
            dense: turned(&numbers[10], fields * PolicyShape::REDUCED, PolicyShape::HIDDEN),
        }
    }
}

impl MovePolicy {
    pub(super) fn new(
        shape: PolicyShape,
        eyes: Arc<Eyes>,
        numbers: [Vec<i32>; PolicyShape::PARTS],
    ) -> MovePolicy {
        let ready = Ready::new(shape, &eyes, &numbers);
        MovePolicy { shape, eyes, numbers, ready }
    }

    /// The sizes of its layers.
    #[must_use]
    pub fn shape(&self) -> PolicyShape {
        self.shape
    }

    /// What it sees.
    #[must_use]
    pub fn eyes(&self) -> &Eyes {
        &self.eyes
    }

    /// The result that the mover can expect, from -1 for a loss to 1 for a win; `fill` writes the values of the slots.
    #[must_use]
    pub fn expect(&self, mover: Colour, fill: impl FnOnce(&mut Vec<i32>)) -> f32 {
        DESK.with_borrow_mut(|desk| {
            self.think(desk, mover, fill);
            2.0 * sigmoid(self.result(desk) as f32 / SUM) - 1.0
        })
    }

    /// How likely each of the moves is the best: shares that add up to 1.
    pub fn advise(
        &self,
        mover: Colour,
        fill: impl FnOnce(&mut Vec<i32>),
        moves: &MoveList,
        shares: &mut Vec<f32>,
    ) {
        DESK.with_borrow_mut(|desk| {
            self.think(desk, mover, fill);
            desk.targets.clear();
            desk.targets.resize(self.shape.fields * self.shape.classes, UNKNOWN);
            shares.clear();
            shares.extend(moves.iter().map(|played| {
                let targets = played
                    .changes
                    .iter()
                    .filter_map(|change| self.eyes.target(change.slot(), change.new(), mover));
                let sum: i64 = targets.map(|target| i64::from(self.worth(desk, target as usize))).sum();
                sum as f32 / SUM
            }));
            softmax(shares);
        });
    }

    /// The numbers of all fields, layer by layer.
    fn think(&self, desk: &mut Desk, mover: Colour, fill: impl FnOnce(&mut Vec<i32>)) {
        let PolicyShape { fields, channels, .. } = self.shape;
        fill(&mut desk.values);
        desk.next.clear();
        desk.next.extend_from_slice(&self.ready.empty);
        let mut seen_beside = [0_i16; 64];
        let seen_beside = &mut seen_beside[..channels];
        let mut see = |global: usize| {
            kernel::plain::add(seen_beside, &self.ready.globals[global * channels..][..channels]);
        };
        self.eyes.whose(mover).into_iter().for_each(&mut see);
        for (slot, &value) in desk.values.iter().enumerate() {
            match self.eyes.seen(slot, self.eyes.step(slot, value), mover) {
                Seen::Nothing => {}
                Seen::Global(global) => see(usize::from(global)),
                Seen::Thing(field, class) => {
                    let rows =
                        &self.ready.first[usize::from(class) * AROUND * channels..][..AROUND * channels];
                    // Whom it lies around in one direction lies around it in the opposite one.
                    let seers = self.eyes.around()[usize::from(field)].iter().rev();
                    for (&seer, row) in seers.zip(rows.chunks_exact(channels)) {
                        if usize::from(seer) < fields {
                            kernel::plain::add(
                                &mut desk.next[usize::from(seer) * channels..][..channels],
                                row,
                            );
                        }
                    }
                }
            }
        }
        desk.now.clear();
        desk.now.resize((fields + 1) * channels, 0);
        for &field in self.eyes.used() {
            let place = usize::from(field) * channels..(usize::from(field) + 1) * channels;
            let sums = desk.next[place.clone()].iter().zip(&*seen_beside);
            for (number, (sum, beside)) in desk.now[place].iter_mut().zip(sums) {
                *number = (sum.wrapping_add(*beside) >> FIRST_BITS).clamp(0, MOST as i16);
            }
        }
        for layer in 0..self.shape.layers {
            self.layer(desk, layer);
        }
    }

    fn layer(&self, desk: &mut Desk, layer: usize) {
        let PolicyShape { fields, channels, .. } = self.shape;
        let Desk { now, next, patch, sums, mean, mean_sums, .. } = desk;
        let used = self.eyes.used();
        sums.clear();
        sums.resize(channels, 0);
        for &field in used {
            let row = &now[usize::from(field) * channels..][..channels];
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += i32::from(*number));
        }
        mean.clear();
        mean.extend(sums.iter().map(|sum| (*sum / used.len().max(1) as i32) as i16));
        mean_sums.clear();
        mean_sums.resize(channels, 0);
        let square = channels * channels;
        products(mean, &self.ready.means[layer * square..][..square], mean_sums);
        for (sum, bias) in mean_sums.iter_mut().zip(&self.numbers[5][layer * channels..]) {
            *sum = sum.wrapping_add(*bias);
        }
        let weights = &self.ready.layers[layer * NEAR * square..][..NEAR * square];
        next.clear();
        next.resize((fields + 1) * channels, 0);
        patch.clear();
        patch.resize(NEAR * channels, 0);
        for &field in used {
            let near = &self.eyes.near()[usize::from(field)];
            for (part, &other) in patch.chunks_exact_mut(channels).zip(near) {
                part.copy_from_slice(&now[usize::from(other) * channels..][..channels]);
            }
            products(patch, weights, sums);
            let place = usize::from(field) * channels..(usize::from(field) + 1) * channels;
            let before = &now[place.clone()];
            for (((number, before), sum), mean) in
                next[place].iter_mut().zip(before).zip(&*sums).zip(&*mean_sums)
            {
                let sum = sum.wrapping_add(*mean) >> WEIGHT_BITS;
                *number = i32::from(*before).wrapping_add(sum).clamp(0, MOST) as i16;
            }
        }
        std::mem::swap(now, next);
    }

    /// What a move is worth as far as it leads to this thing on this field.
    fn worth(&self, desk: &mut Desk, target: usize) -> i32 {
        if desk.targets[target] != UNKNOWN {
            return desk.targets[target];
        }
        let PolicyShape { classes, channels, .. } = self.shape;
        let (field, class) = (target / classes, target % classes);
        let mut sum = [0];
        let row = &self.ready.moves[class * channels..][..channels];
        products(&desk.now[field * channels..][..channels], row, &mut sum);
        let worth = sum[0].wrapping_add(self.numbers[7][target]).max(UNKNOWN + 1);
        desk.targets[target] = worth;
        worth
    }

    /// The exponent of the odds that the mover wins.
    fn result(&self, desk: &mut Desk) -> i32 {
        let PolicyShape { fields, channels, .. } = self.shape;
        let (reduced, hidden) = (PolicyShape::REDUCED, PolicyShape::HIDDEN);
        let clipped = |sum: i32, bias: i32| (sum.wrapping_add(bias) >> WEIGHT_BITS).clamp(0, MOST) as i16;
        desk.reduced.clear();
        desk.reduced.resize(fields * reduced, 0);
        desk.sums.clear();
        desk.sums.resize(reduced, 0);
        for &field in self.eyes.used() {
            let row = &desk.now[usize::from(field) * channels..][..channels];
            products(row, &self.ready.reduced, &mut desk.sums);
            let into = &mut desk.reduced[usize::from(field) * reduced..][..reduced];
            for ((into, sum), bias) in into.iter_mut().zip(&desk.sums).zip(&self.numbers[9]) {
                *into = clipped(*sum, *bias);
            }
        }
        desk.sums.resize(hidden, 0);
        products(&desk.reduced, &self.ready.dense, &mut desk.sums);
        let neurons = desk.sums.iter().zip(&self.numbers[11]).map(|(sum, bias)| clipped(*sum, *bias));
        neurons.zip(&self.numbers[12]).fold(self.numbers[13][0], |sum, (neuron, weight)| {
            sum.wrapping_add(i32::from(neuron).wrapping_mul(*weight))
        })
    }
}
