//! A network at work: the sums of the first layer, kept from position to position, and what follows from them.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use game::{Colour, Position};

use crate::inputs::Inputs;
use crate::kernel;
use crate::quantise::{Corrected, DENSE_SCALE, PATTERN_SCALE, UNIT};
use crate::shape::Shape;

/// No estimate is larger.
const WORTH_MAX: i64 = 20_000;
/// Networks whose sums a thread keeps: those of two players and of who watches.
const KEPT_MAX: usize = 4;

/// Gives each network a number. Only its being different counts, so relaxed order suffices.
static NEXT: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The sums of the positions that this thread has evaluated last, one for each network.
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// A network that judges positions of one game.
#[derive(Clone, Debug)]
pub struct Network {
    /// Tells the sums of one network from those of another.
    number: u64,
    pub(crate) shape: Shape,
    pub(crate) corrects: Option<Corrected>,
    pub(crate) inputs: Arc<Inputs>,
    pub(crate) numbers: Numbers,
}

/// The numbers of a network, in the order of [`Shape::parts`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) first: Vec<i16>,
    pub(crate) first_biases: Vec<i16>,
    pub(crate) dense: Vec<i16>,
    pub(crate) dense_biases: Vec<i32>,
    pub(crate) last: Vec<i16>,
    pub(crate) last_biases: Vec<i32>,
    pub(crate) patterns: Vec<i16>,
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        self.shape == other.shape
            && self.corrects == other.corrects
            && self.inputs == other.inputs
            && self.numbers == other.numbers
    }
}

impl Eq for Network {}

/// What is kept of the position before.
struct Kept {
    network: u64,
    /// The values in its slots.
    values: Vec<i32>,
    /// Memory for the values of the next one.
    next: Vec<i32>,
    /// For white's view and black's.
    sums: [Vec<i16>; 2],
    /// The entries of patterns, for white's view and black's.
    entries: [Vec<u32>; 2],
    pieces: i32,
    /// Memory for the mover's and the opponent's clipped sums.
    active: Vec<i16>,
}

impl Network {
    pub(crate) fn new(
        shape: Shape,
        corrects: Option<Corrected>,
        inputs: Arc<Inputs>,
        numbers: Numbers,
    ) -> Network {
        Network { number: NEXT.fetch_add(1, Ordering::Relaxed), shape, corrects, inputs, numbers }
    }

    /// The sizes of its layers.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The evaluation that it corrects; without one, it judges alone.
    #[must_use]
    pub fn corrects(&self) -> Option<Corrected> {
        self.corrects
    }

    /// What it sees.
    #[must_use]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// What a position is worth to the mover; `plain` is what the evaluation says that is corrected, and `fill`
    /// writes the values of its slots. Costs what differs from the position that this thread has evaluated before.
    pub fn evaluate(&self, mover: Colour, plain: i32, fill: impl FnOnce(&mut Vec<i32>)) -> i32 {
        KEPT.with_borrow_mut(|kept| {
            let place = kept.iter().position(|kept| kept.network == self.number);
            let kept = match place {
                Some(place) => &mut kept[place],
                None => {
                    if kept.len() >= KEPT_MAX {
                        kept.remove(0);
                    }
                    kept.push(self.nothing_kept());
                    kept.last_mut().expect("it has just been pushed")
                }
            };
            fill(&mut kept.next);
            self.update(kept);
            self.output(kept, mover, plain)
        })
    }

    /// The same, from nothing.
    #[must_use]
    pub fn evaluate_afresh(&self, position: &Position, plain: i32) -> i32 {
        let mut kept = self.nothing_kept();
        kept.next.extend_from_slice(position.slots());
        self.update(&mut kept);
        self.output(&mut kept, position.mover(), plain)
    }

    /// The sums of a position all of whose slots have their first step.
    fn nothing_kept(&self) -> Kept {
        let sums = Colour::BOTH.map(|view| {
            let mut sums = self.numbers.first_biases.clone();
            if let (Some(feature), 1..) = (self.inputs.whose(view), self.shape.width) {
                kernel::add(&mut sums, self.row(feature as i32));
            }
            sums
        });
        let entries = Colour::BOTH.map(|view| match self.shape.tables {
            0 => Vec::new(),
            _ => self.inputs.patterns().empty(view).collect(),
        });
        Kept {
            network: self.number,
            entries,
            values: Vec::new(),
            next: Vec::new(),
            sums,
            pieces: 0,
            active: vec![0; 2 * self.shape.width],
        }
    }

    #[inline]
    fn row(&self, feature: i32) -> &[i16] {
        let width = self.shape.width;
        &self.numbers.first[feature as usize * width..][..width]
    }

    /// Brings the sums from the values before to the next ones.
    fn update(&self, kept: &mut Kept) {
        debug_assert_eq!(kept.next.len(), self.inputs.slots());
        if kept.values.is_empty() {
            for slot in 0..kept.next.len() {
                self.change(kept, slot, 0, self.inputs.step(slot, kept.next[slot]));
            }
            kept.values.clone_from(&kept.next);
            return;
        }
        const BLOCK: usize = 8;
        for first in (0..kept.next.len()).step_by(BLOCK) {
            let block = first..(first + BLOCK).min(kept.next.len());
            if kept.values[block.clone()] == kept.next[block.clone()] {
                continue;
            }
            for slot in block {
                let (old, new) = (kept.values[slot], kept.next[slot]);
                if old != new {
                    self.change(kept, slot, self.inputs.step(slot, old), self.inputs.step(slot, new));
                }
            }
        }
        std::mem::swap(&mut kept.values, &mut kept.next);
    }

    fn change(&self, kept: &mut Kept, slot: usize, old: usize, new: usize) {
        if old == new {
            return;
        }
        kept.pieces += self.inputs.piece(slot, new) - self.inputs.piece(slot, old);
        if self.shape.tables > 0 {
            for (view, entries) in Colour::BOTH.into_iter().zip(&mut kept.entries) {
                self.inputs.patterns().change(view, entries, slot, old, new);
            }
        }
        if self.shape.width == 0 {
            return;
        }
        let (old, new) = (self.inputs.features(slot, old), self.inputs.features(slot, new));
        for (view, sums) in kept.sums.iter_mut().enumerate() {
            match (old[view] >= 0, new[view] >= 0) {
                (true, true) => kernel::exchange(sums, self.row(old[view]), self.row(new[view])),
                (true, false) => kernel::subtract(sums, self.row(old[view])),
                (false, true) => kernel::add(sums, self.row(new[view])),
                (false, false) => {}
            }
        }
    }

    fn output(&self, kept: &mut Kept, mover: Colour, plain: i32) -> i32 {
        let layers = if self.shape.width > 0 { self.layers(kept, mover) } else { 0 };
        let corrected = self.corrects.map_or(0, |corrected| corrected.scaled(plain));
        let worth = layers + self.patterns(kept, mover) + corrected;
        worth.clamp(-WORTH_MAX, WORTH_MAX) as i32
    }

    /// What the layers say.
    fn layers(&self, kept: &mut Kept, mover: Colour) -> i64 {
        let Shape { width, hidden, phases, .. } = self.shape;
        let (own, opponents) = kept.active.split_at_mut(width);
        kernel::activate(&kept.sums[mover.index()], own);
        kernel::activate(&kept.sums[mover.opponent().index()], opponents);
        let phase = self.inputs.phase(kept.pieces.max(0) as usize, phases);
        let numbers = &self.numbers;
        let mut neurons = [0; Shape::HIDDEN_MAX];
        let neurons = &mut neurons[..hidden];
        let weights = &numbers.dense[phase * hidden * 2 * width..][..hidden * 2 * width];
        kernel::dense(&kept.active, weights, &numbers.dense_biases[phase * hidden..][..hidden], neurons);
        let last = &numbers.last[phase * hidden..][..hidden];
        let product = |(neuron, weight): (&i16, &i16)| i64::from(*neuron) * i64::from(*weight);
        let sum = i64::from(numbers.last_biases[phase]) + neurons.iter().zip(last).map(product).sum::<i64>();
        sum * i64::from(UNIT) / (i64::from(kernel::ONE) * DENSE_SCALE)
    }

    /// What the patterns of the mover's view say.
    fn patterns(&self, kept: &Kept, mover: Colour) -> i64 {
        let Shape { entries, tables, .. } = self.shape;
        if tables == 0 {
            return 0;
        }
        let phase = self.inputs.phase(kept.pieces.max(0) as usize, tables);
        let table = &self.numbers.patterns[phase * entries..][..entries];
        let weight = |&entry: &u32| i32::from(table[entry as usize]);
        let sum: i32 = kept.entries[mover.index()].iter().map(weight).sum();
        i64::from(sum) * i64::from(UNIT) / i64::from(PATTERN_SCALE)
    }
}
