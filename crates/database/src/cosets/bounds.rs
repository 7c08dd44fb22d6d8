//! Lower bounds from a table of cosets. A state is looked at from every side that symmetries do not make equal, and
//! so is its inverse, which is as far from the solved state: one table gives six bounds of a cube.
//!
//! What a move makes of a coset depends on the coset alone, so the values of each side are kept from state to state.
//! Those of the inverse do not follow from each other; they are added up from all pieces, and only where the sides do
//! not say enough.

use game::motion::{Bounds, Motion, SITES_MAX, Turn};

use super::build::UNREACHED;
use super::choose::CosetPlan;
use super::coordinate::Part;
use super::frame::Frame;
use crate::Bytes;

/// What each piece on each site adds to all coordinates of a state, side by side in one number.
type View = Vec<[u64; SITES_MAX]>;

/// Sides from which a state is looked at, at most.
const SIDES_MAX: usize = 4;

/// Coordinates of a plan, at most.
const COORDINATES_MAX: usize = 4;

/// The values of all coordinates of a coset.
type Values = [u16; COORDINATES_MAX];

/// A coordinate, ready to be asked.
#[derive(Clone, Debug)]
struct Slot {
    /// Where it is in the sum of shares.
    shift: u32,
    mask: u64,
    /// By set of places: its number.
    numbers: Vec<u16>,
    size: usize,
    /// By value and move: the value behind it.
    after: Vec<u16>,
}

/// A table of cosets, ready to be asked.
#[derive(Clone, Debug)]
pub struct Cosets {
    frame: Frame,
    bytes: Bytes,
    /// By side.
    views: Vec<View>,
    /// By side: how the inverse looks from there.
    inverses: Vec<View>,
    /// By side and move: which move it is from there.
    moves: Vec<Vec<u16>>,
    /// By side: the moves, one bit each, that leave the solved coset what it is.
    still: Vec<u64>,
    /// All moves.
    all: u64,
    slots: Vec<Slot>,
    /// By part: its slots.
    parts: Vec<std::ops::Range<usize>>,
    /// Values of each further part.
    sizes: Vec<usize>,
    pieces: usize,
}

impl Cosets {
    /// The table of a plan; `None` if coordinates do not fit side by side.
    #[must_use]
    pub fn new(motion: &Motion, plan: &CosetPlan, frame: Frame, bytes: Bytes) -> Option<Cosets> {
        let (mut shift, mut slots, mut parts) = (0, Vec::new(), Vec::new());
        for part in &frame.parts {
            let first = slots.len();
            for one in &part.coordinates {
                let bits = one.coordinate.bits(motion);
                let after = (0..one.size).flat_map(|value| (0..one.moves).map(move |number| (value, number)));
                slots.push(Slot {
                    shift,
                    mask: (1 << bits) - 1,
                    numbers: one.numbers.clone(),
                    size: one.size,
                    after: after.map(|(value, number)| one.after(value, number) as u16).collect(),
                });
                shift += bits;
            }
            parts.push(first..slots.len());
        }
        let count = motion.modes[0].len();
        if shift > 64 || slots.len() > COORDINATES_MAX || count > 64 {
            return None;
        }
        let sides: Vec<usize> = sides(plan).into_iter().take(SIDES_MAX).collect();
        let look = |of_inverse: bool| {
            sides.iter().map(|&side| view(motion, plan, side, of_inverse, &slots)).collect::<Vec<View>>()
        };
        let (views, inverses) = (look(false), look(true));
        let moves: Vec<Vec<u16>> = sides
            .iter()
            .map(|&side| plan.symmetries[side].moves.iter().map(|&number| number as u16).collect())
            .collect();
        let goal = frame.parts.iter().flat_map(|part| &part.coordinates).map(|one| one.goal);
        let mut solved = Values::default();
        solved.iter_mut().zip(goal).for_each(|(value, goal)| *value = goal as u16);
        let sizes = frame.parts[1..].iter().map(Part::size).collect();
        let mut cosets = Cosets {
            frame,
            bytes,
            views,
            inverses,
            moves,
            still: Vec::new(),
            all: u64::MAX >> (64 - count),
            slots,
            parts,
            sizes,
            pieces: motion.pieces(),
        };
        let still = |side: usize| {
            let stays = |&number: &usize| cosets.values(&solved, side, number) == solved;
            (0..count).filter(stays).map(|number| 1 << number).sum()
        };
        cosets.still = (0..cosets.views.len()).map(still).collect();
        Some(cosets)
    }

    /// How many bounds a state has.
    #[must_use]
    pub fn views(&self) -> usize {
        self.views.len() + self.inverses.len()
    }

    /// The values behind a move, from a side.
    #[inline(always)]
    fn values(&self, before: &Values, side: usize, number: usize) -> Values {
        let count = self.moves[side].len();
        let number = usize::from(self.moves[side][number]);
        let mut values = *before;
        for (value, slot) in values.iter_mut().zip(&self.slots) {
            *value = slot.after[usize::from(*value) * count + number];
        }
        values
    }

    /// The values that shares add up to.
    #[inline(always)]
    fn added_up(&self, view: &View, sites: impl Iterator<Item = u8>) -> Values {
        let shares = view.iter().zip(sites).map(|(shares, site)| shares[usize::from(site) % SITES_MAX]);
        let sum = shares.sum::<u64>();
        let mut values = Values::default();
        for (value, slot) in values.iter_mut().zip(&self.slots) {
            let own = (sum >> slot.shift & slot.mask) as usize;
            *value = if slot.numbers.is_empty() { own as u16 } else { slot.numbers[own] };
        }
        values
    }

    /// The value of a part.
    #[inline(always)]
    fn value_of(&self, part: usize, values: &Values) -> usize {
        let range = self.parts[part].clone();
        let own = values[range.clone()].iter().zip(&self.slots[range]);
        own.fold(0, |sum, (&value, slot)| sum * slot.size + usize::from(value))
    }

    /// Asks the machine to have the orbit of a coset at hand soon.
    #[inline(always)]
    fn aim_at(&self, values: Values) -> Values {
        self.frame.fetch_class(self.value_of(0, &values));
        values
    }

    /// The number of the entry of a coset; the machine is asked to have it at hand soon.
    #[inline(always)]
    fn index(&self, values: &Values) -> usize {
        let (class, symmetry) = self.frame.class(self.value_of(0, values));
        let mut inner = 0;
        for (part, &size) in self.sizes.iter().enumerate() {
            inner = inner * size + self.frame.image(part, symmetry, self.value_of(part + 1, values));
        }
        let index = class * self.frame.row + inner;
        self.bytes.fetch(index / 2);
        index
    }

    #[inline]
    fn entry(&self, index: usize) -> u32 {
        u32::from(self.bytes.get()[index / 2] >> (index % 2 * 4) & 15 ^ UNREACHED)
    }

    /// What all sides say together. If the last move of a solution leaves the solved coset of a side what it is, that
    /// side is satisfied a move before the end. So if all moves do so of some side that says most, it takes a move
    /// more than they say.
    #[inline]
    fn together(&self, indices: &[usize]) -> (u32, u8) {
        let (mut greatest, mut still) = ((0, 0), 0);
        for (side, &index) in indices.iter().enumerate() {
            let own = self.entry(index);
            if own > greatest.0 {
                (greatest, still) = ((own, side as u8), 0);
            }
            if own == greatest.0 {
                still |= self.still[side];
            }
        }
        greatest.0 += u32::from(still == self.all && greatest.0 > 0);
        greatest
    }

    /// What is known of the inverse of a state with pieces on these sites.
    fn of_inverse(&self, sites: impl Iterator<Item = u8> + Clone) -> (u32, u8) {
        let mut indices = [0; SIDES_MAX];
        let sides = self.inverses.len();
        let mut aims = [Values::default(); SIDES_MAX];
        for (aim, view) in aims.iter_mut().zip(&self.inverses) {
            *aim = self.aim_at(self.added_up(view, sites.clone()));
        }
        for (index, aim) in indices.iter_mut().zip(&aims[..sides]) {
            *index = self.index(aim);
        }
        let (bound, side) = self.together(&indices[..sides]);
        (bound, side + sides as u8)
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

fn view(motion: &Motion, plan: &CosetPlan, symmetry: usize, of_inverse: bool, slots: &[Slot]) -> View {
    let symmetry = &plan.symmetries[symmetry];
    let mut view = vec![[0; SITES_MAX]; motion.pieces()];
    for kind in &motion.kinds {
        for &piece in &kind.pieces {
            for &site in kind.places.iter().flatten() {
                let (other, to) = symmetry.carried(motion, piece, site);
                let coordinates = plan.parts.iter().flatten().zip(slots);
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
    type Turned = [Values; SIDES_MAX];

    fn begin(&self, at: &[u8]) -> u32 {
        let mut all = [0; SITES_MAX];
        all[..self.pieces].copy_from_slice(&at[..self.pieces]);
        self.whole(&all).0
    }

    fn after(&self, _: u32, _: u8, _: u8, _: u8, at: &[u8; SITES_MAX]) -> u32 {
        self.begin(&at[..self.pieces])
    }

    fn value(&self, kept: u32) -> u32 {
        kept
    }

    fn turned(&self, at: &[u8; SITES_MAX]) -> Self::Turned {
        let mut turned = Self::Turned::default();
        for (values, view) in turned.iter_mut().zip(&self.views) {
            *values = self.added_up(view, at.iter().copied());
        }
        turned
    }

    #[inline]
    fn turn(&self, turn: &Turn<'_, Self::Turned>) -> Self::Turned {
        let mut turned = *turn.before;
        for (side, values) in turned.iter_mut().enumerate().take(self.views.len()) {
            *values = self.values(values, side, turn.number);
        }
        turned
    }

    #[inline]
    fn aim(&self, turn: &Turn<'_, Self::Turned>, side: u8) -> u64 {
        let side = usize::from(side);
        let values = match turn.before.get(side).filter(|_| side < self.views.len()) {
            Some(before) => self.values(before, side, turn.number),
            None => self.added_up(&self.inverses[side - self.views.len()], sites(turn)),
        };
        self.aim_at(values).iter().rev().fold(0, |aim, &value| aim << 16 | u64::from(value))
    }

    #[inline]
    fn ask(&self, aim: u64) -> usize {
        self.index(&std::array::from_fn(|number| (aim >> (16 * number)) as u16))
    }

    #[inline]
    fn bound(&self, turn: &Turn<'_, Self::Turned>, asked: usize, side: u8, enough: u32) -> (u32, u8) {
        let own = self.entry(asked);
        if own > enough {
            return (own, side);
        }
        let (mut aims, mut indices) = ([Values::default(); SIDES_MAX], [asked; SIDES_MAX]);
        for (other, before) in turn.before.iter().enumerate().take(self.views.len()) {
            if other != usize::from(side) {
                aims[other] = self.aim_at(self.values(before, other, turn.number));
            }
        }
        for (other, aim) in aims.iter().enumerate().take(self.views.len()) {
            if other != usize::from(side) {
                indices[other] = self.index(aim);
            }
        }
        let greatest = self.together(&indices[..self.views.len()]);
        if greatest.0 > enough {
            return greatest;
        }
        let of_inverse = self.of_inverse(sites(turn));
        if of_inverse.0 > greatest.0 { of_inverse } else { greatest }
    }

    fn whole(&self, at: &[u8; SITES_MAX]) -> (u32, u8) {
        let mut indices = [0; SIDES_MAX];
        for (index, view) in indices.iter_mut().zip(&self.views) {
            *index = self.index(&self.added_up(view, at.iter().copied()));
        }
        let greatest = self.together(&indices[..self.views.len()]);
        let of_inverse = self.of_inverse(at.iter().copied());
        if of_inverse.0 > greatest.0 { of_inverse } else { greatest }
    }
}

/// Where the pieces are behind a move.
#[inline(always)]
fn sites<K>(turn: &Turn<'_, K>) -> impl Iterator<Item = u8> + Clone {
    turn.at.iter().map(|&site| turn.map[usize::from(site) % SITES_MAX])
}
