//! The states of a pattern in rows, where moves of other pieces are free.
//!
//! A row is a set of places on which the pieces lie together with a *region*: modes that lead to one another without a
//! move of any of these pieces (where the blank can go). In a row are all orders of the pieces on those places. A move
//! of a piece leads from a whole row to a whole row, and what it does to the order is the same for all of them: the
//! pieces that it passes come one place sooner or later. A move that passes none keeps the order, so that rows are put
//! together word by word.

use game::motion::{Motion, NONE, Operator};

use crate::Pattern;
use crate::index::PIECES_MAX;

/// Marks a mode in which the pattern cannot lie on a set of places.
const NOWHERE: u8 = u8::MAX;

/// From where a row is reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    /// The other row.
    pub from: u32,
    /// What happens to the order: the number of a list of what each order becomes, counted from 1; with 0 it stays.
    pub shift: u32,
}

/// The rows of a pattern and the moves between them.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Orders of the pieces, each of them a bit of a row.
    pub orders: usize,
    /// By set of places: its first row; behind the last one the number of rows.
    pub first: Vec<u32>,
    /// By row: its first link; behind the last one the number of links.
    begins: Vec<u32>,
    links: Vec<Link>,
    shifts: Vec<Vec<u32>>,
    /// Row and order of the solved state.
    pub start: (usize, usize),
}

/// Sets of so many places are numbered: a place adds so much, by how many are before it.
#[derive(Clone, Debug)]
pub struct Sets(Vec<[usize; PIECES_MAX + 2]>);

impl Sets {
    /// Of so many places.
    #[must_use]
    pub fn new(places: usize) -> Sets {
        let binomial = |n: usize, k: usize| {
            let factor = |value: u128, i: usize| value * (n - i) as u128 / (i as u128 + 1);
            if k > n { 0 } else { (0..k).fold(1_u128, factor) as usize }
        };
        Sets((0..=places).map(|place| std::array::from_fn(|before| binomial(place, before + 1))).collect())
    }

    /// What a place adds that has so many before it.
    #[must_use]
    #[inline]
    pub fn adds(&self, place: usize, before: usize) -> usize {
        self.0[place][before]
    }

    fn number(&self, mut set: u64) -> usize {
        let (mut number, mut before) = (0, 0);
        while set != 0 {
            number += self.adds(set.trailing_zeros() as usize, before);
            before += 1;
            set &= set - 1;
        }
        number
    }
}

/// The number of an order: where each piece is among the others.
fn rank(order: &[u8]) -> usize {
    order.iter().enumerate().fold(0, |number, (piece, own)| {
        let before = order[piece + 1..].iter().filter(|other| *other < own).count();
        number * (order.len() - piece) + before
    })
}

fn unrank(mut number: usize, count: usize) -> Vec<u8> {
    let mut order = vec![0_u8; count];
    for piece in (0..count).rev() {
        let own = (number % (count - piece)) as u8;
        number /= count - piece;
        order[piece + 1..].iter_mut().filter(|other| **other >= own).for_each(|other| *other += 1);
        order[piece] = own;
    }
    order
}

/// What every order becomes if the piece that is so many places from the first one goes elsewhere.
fn shifted(orders: usize, pieces: usize, from: u8, to: u8) -> Vec<u32> {
    let moved = |place: u8| match place {
        _ if place == from => to,
        _ if from < place && place <= to => place - 1,
        _ if to <= place && place < from => place + 1,
        _ => place,
    };
    let image = |number| rank(&unrank(number, pieces).into_iter().map(moved).collect::<Vec<_>>()) as u32;
    (0..orders).map(image).collect()
}

/// What is looked up while rows are made.
struct Layout<'run> {
    motion: &'run Motion,
    /// By site: its place; by place: its site.
    place_of: Vec<u8>,
    sites: Vec<u8>,
    sets: Sets,
    /// By set and mode.
    regions: Vec<u8>,
}

impl Layout<'_> {
    /// The sites of places.
    fn occupied(&self, set: u64) -> u64 {
        let own = |place: &usize| set >> place & 1 != 0;
        (0..self.sites.len()).filter(own).fold(0, |all, place| all | 1 << self.sites[place])
    }

    fn is_own(operator: &Operator, occupied: u64) -> bool {
        occupied >> operator.carries[0].0 & 1 != 0
    }

    /// Finds the regions of a set; how many there are.
    fn add_regions(&mut self, occupied: u64) -> u32 {
        let modes = &self.motion.modes;
        let first = self.regions.len();
        self.regions.resize(first + modes.len(), NOWHERE);
        let own = &mut self.regions[first..];
        let mut count = 0;
        for begin in (0..modes.len()).filter(|&mode| occupied & !self.motion.holds[mode] == 0) {
            if own[begin] != NOWHERE {
                continue;
            }
            // There are never so many; if there were, bounds would be too small, not too large.
            let region = count.min(u32::from(NOWHERE) - 1) as u8;
            count = u32::from(region) + 1;
            own[begin] = region;
            let mut open = vec![begin];
            while let Some(mode) = open.pop() {
                for operator in modes[mode].iter().filter(|operator| !Self::is_own(operator, occupied)) {
                    let to = usize::from(operator.to);
                    if own[to] == NOWHERE {
                        own[to] = region;
                        open.push(to);
                    }
                }
            }
        }
        count
    }
}

/// Numbers of shifts that are in use, by from where to where.
struct Shifts {
    numbers: [[u32; PIECES_MAX]; PIECES_MAX],
    used: Vec<(u8, u8)>,
}

impl Shifts {
    fn number(&mut self, from: usize, to: usize) -> u32 {
        let number = &mut self.numbers[from][to];
        if from != to && *number == 0 {
            self.used.push((from as u8, to as u8));
            *number = self.used.len() as u32;
        }
        *number
    }
}

impl Rows {
    /// The rows of a pattern; `None` if there are too many to be numbered.
    #[must_use]
    pub fn new(motion: &Motion, pattern: &Pattern) -> Option<Rows> {
        let (kind, pieces) = (&motion.kinds[pattern.kind], pattern.pieces.len());
        let orders: usize = (1..=pieces).product();
        u32::try_from(orders).ok()?;
        let mut layout = Layout {
            motion,
            place_of: kind.lies.iter().map(|lie| lie.map_or(NONE, |lie| lie.0)).collect(),
            sites: kind.places.iter().map(|place| place[0]).collect(),
            sets: Sets::new(kind.places.len()),
            regions: Vec::new(),
        };
        let mut first = vec![0];
        let sets = subsets(kind.places.len(), pieces);
        for &set in &sets {
            let count = layout.add_regions(layout.occupied(set));
            first.push(first[first.len() - 1] + count);
        }
        let mut rows =
            Rows { orders, first, begins: vec![0], links: Vec::new(), shifts: Vec::new(), start: (0, 0) };
        let mut shifts = Shifts { numbers: [[0; PIECES_MAX]; PIECES_MAX], used: Vec::new() };
        for (number, &set) in sets.iter().enumerate() {
            rows.add_links(&layout, number, set, &mut shifts);
        }
        rows.shifts = shifts.used.iter().map(|&(from, to)| shifted(orders, pieces, from, to)).collect();
        let at: Vec<u8> =
            pattern.pieces.iter().map(|&piece| layout.place_of[usize::from(motion.goal.at[piece])]).collect();
        let set = layout.sets.number(at.iter().fold(0, |set, &place| set | 1 << place));
        rows.start = (rows.row(&layout, set, usize::from(motion.goal.mode)), rank(&at));
        Some(rows)
    }

    fn row(&self, layout: &Layout<'_>, set: usize, mode: usize) -> usize {
        let region = layout.regions[set * layout.motion.modes.len() + mode];
        self.first[set] as usize + usize::from(region)
    }

    /// The links of all rows of a set. Each move leads there and back: where it leads to it comes from.
    fn add_links(&mut self, layout: &Layout<'_>, number: usize, set: u64, shifts: &mut Shifts) {
        let (occupied, modes) = (layout.occupied(set), &layout.motion.modes);
        let mut own = vec![Vec::new(); (self.first[number + 1] - self.first[number]) as usize];
        for (mode, operators) in modes.iter().enumerate() {
            let region = layout.regions[number * modes.len() + mode];
            if region == NOWHERE {
                continue;
            }
            for operator in operators.iter().filter(|operator| Layout::is_own(operator, occupied)) {
                let (from, to) = operator.carries[0];
                let (from, to) = (layout.place_of[usize::from(from)], layout.place_of[usize::from(to)]);
                let rest = set & !(1 << from);
                let before = |place: u8| (rest & ((1 << place) - 1)).count_ones() as usize;
                let other = layout.sets.number(rest | 1 << to);
                own[usize::from(region)].push(Link {
                    from: self.row(layout, other, usize::from(operator.to)) as u32,
                    shift: shifts.number(before(to), before(from)),
                });
            }
        }
        for mut links in own {
            links.sort_unstable();
            links.dedup();
            self.links.extend(links);
            self.begins.push(self.links.len() as u32);
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.begins.len() - 1
    }

    /// How many sets of places there are.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.first.len() - 1
    }

    /// Words of a row.
    #[must_use]
    pub fn words(&self) -> usize {
        self.orders.div_ceil(64)
    }

    /// From where a row is reached.
    #[must_use]
    pub fn links(&self, row: usize) -> &[Link] {
        &self.links[self.begins[row] as usize..self.begins[row + 1] as usize]
    }

    /// What each order becomes; `None` if it stays.
    #[must_use]
    pub fn shift(&self, link: Link) -> Option<&[u32]> {
        link.shift.checked_sub(1).map(|number| &self.shifts[number as usize][..])
    }
}

/// All sets of so many places, in the order of their numbers.
fn subsets(places: usize, count: usize) -> Vec<u64> {
    let mut sets = Vec::new();
    let mut set = (1_u64 << count) - 1;
    while set < 1 << places {
        sets.push(set);
        if set == 0 {
            break;
        }
        // The next larger number with as many bits (Gosper).
        let (low, carried) = (set & set.wrapping_neg(), set + (set & set.wrapping_neg()));
        set = carried | (((set ^ carried) / low) >> 2);
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_sets_are_numbered_without_gaps() {
        for number in 0..120 {
            assert_eq!(rank(&unrank(number, 5)), number);
        }
        let sets = Sets::new(9);
        for (number, set) in subsets(9, 4).into_iter().enumerate() {
            assert_eq!(sets.number(set), number);
        }
        assert_eq!(subsets(9, 4).len(), 126);
    }

    #[test]
    fn a_shift_is_taken_back_by_its_inverse() {
        let (there, back) = (shifted(24, 4, 0, 2), shifted(24, 4, 2, 0));
        assert!((0..24).all(|order| back[there[order] as usize] as usize == order));
        assert!((0..24).any(|order| there[order] as usize != order));
    }
}
