//! Lower bounds from a table of cosets. A state is looked at from every side that symmetries do not make equal, and so is its inverse,
//! which is as far from the solved state: one table gives six bounds of a cube.

use game::motion::{Bounds, Motion, SITES_MAX};

use super::choose::CosetPlan;
use super::frame::Frame;
use crate::Bytes;

/// What each piece on each site adds to all coordinates of a state, side by side in one number.
type View = Vec<[u64; SITES_MAX]>;

/// Sides that are looked at together, so that none waits for the other.
const TOGETHER: usize = 3;

/// Where a coordinate is in the sum of shares.
#[derive(Clone, Debug)]
struct Slot {
    shift: u32,
    mask: u64,
    /// By set of places: its number.
    numbers: Vec<u16>,
    size: usize,
}

/// A table of cosets, ready to be asked.
#[derive(Clone, Debug)]
pub struct Cosets {
    frame: Frame,
    bytes: Bytes,
    views: Vec<View>,
    /// By part.
    slots: Vec<Vec<Slot>>,
    pieces: usize,
}

impl Cosets {
    /// The table of a plan; `None` if coordinates do not fit side by side.
    #[must_use]
    pub fn new(motion: &Motion, plan: &CosetPlan, frame: Frame, bytes: Bytes) -> Option<Cosets> {
        let mut shift = 0;
        let mut slots = Vec::new();
        for part in &frame.parts {
            let mut own = Vec::new();
            for one in &part.coordinates {
                let bits = one.coordinate.bits(motion);
                own.push(Slot { shift, mask: (1 << bits) - 1, numbers: one.numbers.clone(), size: one.size });
                shift += bits;
            }
            slots.push(own);
        }
        if shift > 64 {
            return None;
        }
        let mut views = Vec::new();
        for of_inverse in [false, true] {
            for symmetry in sides(plan) {
                views.push(view(motion, plan, symmetry, of_inverse, &slots));
            }
        }
        Some(Cosets { frame, bytes, views, slots, pieces: motion.pieces() })
    }

    /// How many bounds a state has.
    #[must_use]
    pub fn views(&self) -> usize {
        self.views.len()
    }

    #[inline]
    fn index(&self, view: &View, at: &[u8; SITES_MAX]) -> usize {
        let shares = view.iter().zip(at).map(|(shares, &site)| shares[usize::from(site) % SITES_MAX]);
        let sum = shares.sum::<u64>();
        let value = |slots: &[Slot]| {
            slots.iter().fold(0, |value, slot| {
                let own = (sum >> slot.shift & slot.mask) as usize;
                let own = if slot.numbers.is_empty() { own } else { usize::from(slot.numbers[own]) };
                value * slot.size + own
            })
        };
        let (class, symmetry) = self.frame.class(value(&self.slots[0]));
        let mut inner = 0;
        for (part, slots) in self.slots[1..].iter().enumerate() {
            inner =
                inner * self.frame.parts[part + 1].size() + self.frame.image(part, symmetry, value(slots));
        }
        class * self.frame.row + inner
    }

    #[inline]
    fn entry(&self, index: usize) -> u32 {
        u32::from(self.bytes.get()[index / 2] >> (index % 2 * 4) & 15)
    }
}

/// One symmetry for each side from which the coordinates look different.
fn sides(plan: &CosetPlan) -> Vec<usize> {
    let mut sides: Vec<usize> = Vec::new();
    let mut seen: Vec<Vec<usize>> = Vec::new();
    for (number, symmetry) in plan.symmetries.iter().enumerate() {
        if seen.contains(&symmetry.moves) {
            continue;
        }
        sides.push(number);
        // First this one, then one that changes nothing: the same side.
        let then = |&other: &usize| {
            symmetry.moves.iter().map(|&number| plan.symmetries[other].moves[number]).collect::<Vec<usize>>()
        };
        seen.extend(plan.kept.iter().map(then));
    }
    sides
}

fn view(motion: &Motion, plan: &CosetPlan, symmetry: usize, of_inverse: bool, slots: &[Vec<Slot>]) -> View {
    let symmetry = &plan.symmetries[symmetry];
    let mut view = vec![[0; SITES_MAX]; motion.pieces()];
    for kind in &motion.kinds {
        for &piece in &kind.pieces {
            for &site in kind.places.iter().flatten() {
                let (other, to) = symmetry.carried(motion, piece, site);
                let coordinates = plan.parts.iter().flatten().zip(slots.iter().flatten());
                let share =
                    coordinates.map(|(one, slot)| one.share(motion, other, to, of_inverse) << slot.shift);
                view[piece][usize::from(site)] = share.sum();
            }
        }
    }
    view
}

impl Bounds for Cosets {
    type Kept = u32;

    fn begin(&self, at: &[u8]) -> u32 {
        let mut all = [0; SITES_MAX];
        all[..self.pieces].copy_from_slice(&at[..self.pieces]);
        self.bound(&all, self.ask(&all, 0), 0, u32::MAX).0
    }

    fn after(&self, _: u32, _: u8, _: u8, _: u8, at: &[u8; SITES_MAX]) -> u32 {
        self.begin(&at[..self.pieces])
    }

    fn value(&self, kept: u32) -> u32 {
        kept
    }

    #[inline]
    fn ask(&self, at: &[u8; SITES_MAX], side: u8) -> usize {
        let index = self.index(&self.views[usize::from(side)], at);
        self.bytes.fetch(index / 2);
        index
    }

    #[inline]
    fn bound(&self, at: &[u8; SITES_MAX], asked: usize, side: u8, enough: u32) -> (u32, u8) {
        let mut greatest = (self.entry(asked), side);
        let mut indices = [0; TOGETHER];
        for first in (0..self.views.len()).step_by(TOGETHER) {
            if greatest.0 > enough {
                break;
            }
            let views = &self.views[first..self.views.len().min(first + TOGETHER)];
            for (index, view) in indices.iter_mut().zip(views) {
                *index = self.index(view, at);
                self.bytes.fetch(*index / 2);
            }
            for (number, &index) in indices.iter().enumerate().take(views.len()) {
                let own = self.entry(index);
                if own > greatest.0 {
                    greatest = (own, (first + number) as u8);
                }
            }
        }
        greatest
    }
}
