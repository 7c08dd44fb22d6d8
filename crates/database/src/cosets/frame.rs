//! Numbers for cosets up to symmetry: of the first part one value for each orbit, and for the other parts what
//! becomes of them when the first one is brought there.

use game::motion::Motion;

use super::choose::CosetPlan;
use super::coordinate::{Counted, Part};

/// Bits of an entry of [`Frame::classes`] that say which symmetry.
const SYMMETRY_BITS: u32 = 6;

/// All that is needed to number cosets.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The coordinates; the first part is kept up to symmetry.
    pub parts: Vec<Part>,
    /// By value of the first part: the number of its orbit, and the symmetry that brings it to the orbit's first value.
    classes: Vec<u32>,
    /// By orbit: its first value.
    pub firsts: Vec<u32>,
    /// By orbit: the symmetries that leave its first value alone, if there are others than the one that changes
    /// nothing.
    pub fixing: Vec<Vec<u8>>,
    /// By further part, symmetry and value: the value under it.
    images: Vec<Vec<u16>>,
    /// Entries of an orbit: the values of the further parts.
    pub row: usize,
    symmetries: usize,
    moves: usize,
}

impl Frame {
    /// The numbers of a plan's cosets. With `check` all values and moves are looked at; `None` if symmetries turn out
    /// to be none.
    #[must_use]
    pub fn new(motion: &Motion, plan: &CosetPlan, check: bool) -> Option<Frame> {
        let part = |coordinates: &Vec<_>| {
            let counted: Option<Vec<Counted>> =
                coordinates.iter().map(|one| Counted::new(motion, one)).collect();
            counted.map(|coordinates| Part { coordinates })
        };
        let parts: Vec<Part> = plan.parts.iter().map(part).collect::<Option<_>>()?;
        let moves: Vec<&[usize]> =
            plan.kept.iter().map(|&number| &plan.symmetries[number].moves[..]).collect();
        let images = parts[1..]
            .iter()
            .map(|part| {
                let all = images(part, &moves, check)?;
                Some(all.into_iter().flatten().map(|value| value as u16).collect())
            })
            .collect::<Option<_>>()?;
        let first = images_of_first(&parts[0], &moves, check)?;
        let row = parts[1..].iter().map(Part::size).product();
        let (symmetries, count) = (moves.len(), motion.modes[0].len());
        let Orbits { classes, firsts, fixing } = first;
        Some(Frame { parts, classes, firsts, fixing, images, row, symmetries, moves: count })
    }

    /// How many entries there are.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.firsts.len() * self.row
    }

    /// How many moves there are.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// How many symmetries are made use of.
    #[must_use]
    pub fn symmetries(&self) -> usize {
        self.symmetries
    }

    /// The orbit of a value of the first part, and the symmetry that brings it to the orbit's first value.
    #[must_use]
    #[inline]
    pub fn class(&self, value: usize) -> (usize, usize) {
        let class = self.classes[value] as usize;
        (class >> SYMMETRY_BITS, class & ((1 << SYMMETRY_BITS) - 1))
    }

    /// Asks the machine to have at hand soon what [`Frame::class`] will look at.
    #[inline]
    pub fn fetch_class(&self, value: usize) {
        crate::fetch(&self.classes, value);
    }

    /// The value of a further part (counted from 0) under a symmetry.
    #[must_use]
    #[inline]
    pub fn image(&self, part: usize, symmetry: usize, value: usize) -> usize {
        usize::from(self.images[part][symmetry * self.parts[part + 1].size() + value])
    }

    /// The entry of a coset, by the values of all its parts.
    #[must_use]
    pub fn entry(&self, values: &[usize]) -> usize {
        let (class, symmetry) = self.class(values[0]);
        let inner = values[1..].iter().enumerate().fold(0, |inner, (part, &value)| {
            inner * self.parts[part + 1].size() + self.image(part, symmetry, value)
        });
        class * self.row + inner
    }

    /// The entry of the solved state.
    #[must_use]
    pub fn goal(&self) -> usize {
        self.entry(&self.parts.iter().map(Part::goal).collect::<Vec<_>>())
    }
}

/// How values are reached from the solved one: in this order, each from another by a move.
struct Walk {
    order: Vec<u32>,
    from: Vec<u32>,
    by: Vec<u8>,
}

fn walk(part: &Part, moves: usize) -> Option<Walk> {
    let size = part.size();
    let (mut from, mut by) = (vec![u32::MAX; size], vec![0; size]);
    let mut order = vec![part.goal() as u32];
    from[part.goal()] = part.goal() as u32;
    let mut next = 0;
    while next < order.len() {
        let value = order[next];
        next += 1;
        for number in 0..moves {
            let to = part.after(value as usize, number);
            if from[to] == u32::MAX {
                (from[to], by[to]) = (value, number as u8);
                order.push(to as u32);
            }
        }
    }
    (order.len() == size).then_some(Walk { order, from, by })
}

/// By value: what it becomes when moves are exchanged.
fn image(part: &Part, walk: &Walk, moves: &[usize], check: bool) -> Option<Vec<u32>> {
    let mut image = vec![part.goal() as u32; part.size()];
    for &value in &walk.order[1..] {
        let value = value as usize;
        let before = image[walk.from[value] as usize] as usize;
        image[value] = part.after(before, moves[usize::from(walk.by[value])]) as u32;
    }
    let fits = |value: usize| {
        let fits = |(number, &other): (usize, &usize)| {
            image[part.after(value, number)] as usize == part.after(image[value] as usize, other)
        };
        moves.iter().enumerate().all(fits)
    };
    (!check || (0..part.size()).all(fits)).then_some(image)
}

fn images(part: &Part, moves: &[&[usize]], check: bool) -> Option<Vec<Vec<u32>>> {
    let walk = walk(part, moves.first()?.len())?;
    moves.iter().map(|moves| image(part, &walk, moves, check)).collect()
}

struct Orbits {
    classes: Vec<u32>,
    firsts: Vec<u32>,
    fixing: Vec<Vec<u8>>,
}

fn images_of_first(part: &Part, moves: &[&[usize]], check: bool) -> Option<Orbits> {
    let images = images(part, moves, check)?;
    let inverse = |one: &&[usize]| {
        let undoes = |other: &&[usize]| (0..one.len()).all(|number| other[one[number]] == number);
        moves.iter().position(undoes)
    };
    let inverses: Vec<usize> = moves.iter().map(inverse).collect::<Option<_>>()?;
    let mut classes = vec![u32::MAX; part.size()];
    let (mut firsts, mut fixing) = (Vec::new(), Vec::new());
    for value in 0..part.size() {
        if classes[value] != u32::MAX {
            continue;
        }
        let class = firsts.len() as u32;
        firsts.push(value as u32);
        let fixes = |symmetry: &usize| images[*symmetry][value] as usize == value;
        let own: Vec<u8> = (0..moves.len()).filter(fixes).map(|symmetry| symmetry as u8).collect();
        fixing.push(if own.len() > 1 { own } else { Vec::new() });
        for (symmetry, image) in images.iter().enumerate() {
            let to = image[value] as usize;
            if classes[to] == u32::MAX {
                classes[to] = class << SYMMETRY_BITS | inverses[symmetry] as u32;
            }
        }
    }
    Some(Orbits { classes, firsts, fixing })
}
