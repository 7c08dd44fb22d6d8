//! Fields that always move together.
//!
//! Where moves are constant permutations, some fields may stay side by side whatever is played: the stickers of a
//! cube's corner. They are a *block*, and what a block shows is one of few *contents*, seen in one of few orders
//! (*twists*). A position is then one number a block instead of one a field, a move is a permutation of those
//! numbers and a twist for some of them, and a block has one key instead of several.

use super::permuting::Permutation;

/// Fields of a block.
const BLOCK_MAX: usize = 6;

/// Orders in which a block can be seen.
const ORDERS_MAX: usize = 16;

/// Larger programs are not looked through: fields that move, times permutations.
const WORK_MAX: usize = 8192;

/// Bytes of a vector.
pub(crate) const VECTOR: usize = 16;

/// Blocks that can come to each other's places.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// The fields of each place, in an order that moves keep but for the twist.
    pub(crate) places: Vec<Vec<usize>>,
    /// What stands on the fields of a block, by its number; from the start position.
    pub(crate) contents: Vec<Vec<u8>>,
    /// What one twist does: where in the order each field's contents go.
    twist: Vec<usize>,
    /// How many twists are none.
    pub(crate) twists: usize,
    /// By permutation and place: to which place a block goes, and how often it is twisted on the way.
    pub(crate) moves: Vec<Vec<(usize, usize)>>,
    /// Whether the start position has no block twice, in no twist.
    pub(crate) differ: bool,
    /// Where the number of each place's block lies in an encoded position.
    pub(crate) bytes: Vec<usize>,
}

/// All blocks of a program.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub(crate) kinds: Vec<Kind>,
    /// Vectors of an encoded position.
    pub(crate) vectors: usize,
    pub(crate) permutations: usize,
}

impl Kind {
    /// How much a twist adds to a block's number.
    pub(crate) fn unit(&self) -> usize {
        self.contents.len()
    }

    /// All numbers are below this one.
    pub(crate) fn codes(&self) -> usize {
        self.unit() * self.twists
    }

    /// What a block with this number shows on the fields of its place.
    pub(crate) fn shown(&self, code: usize) -> Vec<u8> {
        let (content, twist) = (&self.contents[code % self.unit()], code / self.unit());
        (0..twist).fold(content.clone(), |shown, _| moved(&shown, &self.twist))
    }

    /// The number of a block after some twists.
    pub(crate) fn twisted(&self, code: usize, twists: usize) -> usize {
        (code + twists * self.unit()) % self.codes()
    }

    /// Whether a permutation does something to the block at a place.
    pub(crate) fn is_moved(&self, permutation: usize, place: usize) -> bool {
        self.moves[permutation][place] != (place, 0)
    }
}

/// Things that go where `to` says.
fn moved<T: Clone>(things: &[T], to: &[usize]) -> Vec<T> {
    let mut moved = things.to_vec();
    things.iter().zip(to).for_each(|(thing, &to)| moved[to] = thing.clone());
    moved
}

impl Blocks {
    /// The blocks of a program with these moves; `None` if positions cannot be told by their numbers.
    pub(crate) fn of(permutations: &[Permutation], start: &[u8]) -> Option<Blocks> {
        let moves = |&field: &usize| permutations.iter().any(|permutation| permutation[field] != field);
        let moving: Vec<usize> = (0..start.len()).filter(moves).collect();
        if moving.len() * permutations.len() > WORK_MAX {
            return None;
        }
        let mut classes = Classes((0..start.len()).collect());
        let mut kinds = classes.kinds(permutations, &moving, start)?;
        // Whatever moves together with the first field of an orbit is a block there and everywhere in the orbit.
        let mut orbits = Classes((0..start.len()).collect());
        for &field in &moving {
            permutations.iter().for_each(|permutation| orbits.join(field, permutation[field]));
        }
        for &first in moving.iter().filter(|&&field| orbits.of(field) == field) {
            for &other in moving.iter().filter(|&&field| field != first) {
                let coarser = classes.with(first, other, permutations);
                if let Some(coarser) = coarser.filter(|coarser| *coarser != classes)
                    && let Some(better) = coarser.kinds(permutations, &moving, start)
                {
                    (classes, kinds) = (coarser, better);
                }
            }
        }
        let vectors = pack(&mut kinds);
        let blocks = Blocks { kinds, vectors, permutations: permutations.len() };
        blocks.tell_results_apart().then_some(blocks)
    }

    /// Whether no position has the same result twice, if its blocks differ where those of the start position do.
    fn tell_results_apart(&self) -> bool {
        let differ = |one: usize, other: usize| {
            self.kinds.iter().any(|kind| kind.differ && kind.moves[one] != kind.moves[other])
        };
        (0..self.permutations).all(|one| (0..one).all(|other| differ(one, other)))
    }
}

/// Gives each place a byte: no kind is in more vectors than necessary. Returns the number of vectors.
fn pack(kinds: &mut [Kind]) -> usize {
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by_key(|&kind| std::cmp::Reverse(kinds[kind].places.len()));
    let mut filled: Vec<usize> = Vec::new();
    for kind in order {
        let mut left = kinds[kind].places.len();
        while left > 0 {
            let part = left.min(VECTOR);
            let room = filled.iter().position(|filled| filled + part <= VECTOR);
            let vector = room.unwrap_or_else(|| {
                filled.push(0);
                filled.len() - 1
            });
            let first = VECTOR * vector + filled[vector];
            kinds[kind].bytes.extend(first..first + part);
            filled[vector] += part;
            left -= part;
        }
    }
    filled.len()
}

/// Fields in classes; each is named by its first field.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Classes(Vec<usize>);

impl Classes {
    fn of(&self, field: usize) -> usize {
        self.0[field]
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.0[one], self.0[other]);
        let (first, second) = (one.min(other), one.max(other));
        self.0.iter_mut().filter(|class| **class == second).for_each(|class| *class = first);
    }

    /// The finest coarser classes that have two fields together and that permutations keep; `None` if one becomes
    /// too large.
    fn with(&self, one: usize, other: usize, permutations: &[Permutation]) -> Option<Classes> {
        let mut classes = self.clone();
        let mut open = vec![(one, other)];
        while let Some((one, other)) = open.pop() {
            if classes.of(one) == classes.of(other) {
                continue;
            }
            classes.join(one, other);
            let joined = classes.of(one);
            if classes.0.iter().filter(|&&class| class == joined).count() > BLOCK_MAX {
                return None;
            }
            open.extend(permutations.iter().map(|permutation| (permutation[one], permutation[other])));
        }
        Some(classes)
    }

    /// The blocks that these classes are; `None` if their twists are not powers of one of them, or there are too
    /// many different ones for a byte.
    fn kinds(&self, permutations: &[Permutation], moving: &[usize], start: &[u8]) -> Option<Vec<Kind>> {
        let (mut kinds, mut seen) = (Vec::new(), vec![false; start.len()]);
        for &field in moving.iter().filter(|&&field| self.of(field) == field) {
            if seen[field] {
                continue;
            }
            let places = self.places_from(field, permutations);
            places.iter().flatten().for_each(|&field| seen[field] = true);
            kinds.push(Kind::of(places, permutations, start)?);
        }
        Some(kinds)
    }

    /// All places to which a block can come, with fields in the order in which those of the first come there. As
    /// many as possible are reached by the first permutations, which therefore twist nothing.
    fn places_from(&self, class: usize, permutations: &[Permutation]) -> Vec<Vec<usize>> {
        let first: Vec<usize> = (0..self.0.len()).filter(|&field| self.of(field) == class).collect();
        let mut places = vec![first];
        let mut reached = vec![false; self.0.len()];
        reached[class] = true;
        let next = |places: &[Vec<usize>], reached: &[bool]| {
            permutations.iter().find_map(|permutation| {
                let new = places.iter().find(|place| !reached[self.of(permutation[place[0]])])?;
                Some(new.iter().map(|&field| permutation[field]).collect::<Vec<usize>>())
            })
        };
        while let Some(place) = next(&places, &reached) {
            reached[self.of(place[0])] = true;
            places.push(place);
        }
        places
    }
}

impl Kind {
    fn of(places: Vec<Vec<usize>>, permutations: &[Permutation], start: &[u8]) -> Option<Kind> {
        let mut ways: Vec<Vec<(usize, Vec<usize>)>> = Vec::new();
        for permutation in permutations {
            let way = |fields: &Vec<usize>| {
                let after: Vec<usize> = fields.iter().map(|&field| permutation[field]).collect();
                let to = places.iter().position(|place| place.contains(&after[0]))?;
                let order = after.iter().map(|field| places[to].iter().position(|other| other == field));
                Some((to, order.collect::<Option<Vec<usize>>>()?))
            };
            ways.push(places.iter().map(way).collect::<Option<_>>()?);
        }
        let powers = powers_of_one(ways.iter().flatten().map(|(_, order)| order))?;
        let exponent = |order: &Vec<usize>| powers.iter().position(|power| power == order);
        let moves = ways
            .iter()
            .map(|way| way.iter().map(|(to, order)| Some((*to, exponent(order)?))).collect())
            .collect::<Option<_>>()?;
        let shown = |place: &Vec<usize>| place.iter().map(|&field| start[field]).collect::<Vec<u8>>();
        let mut contents: Vec<Vec<u8>> = Vec::new();
        for place in &places {
            let shown = shown(place);
            if !powers.iter().any(|power| contents.contains(&moved(&shown, power))) {
                contents.push(shown);
            }
        }
        let is_asymmetric =
            |content: &Vec<u8>| powers[1..].iter().all(|power| moved(content, power) != *content);
        let differ = contents.len() == places.len() && contents.iter().all(is_asymmetric);
        // A twist may go beyond the last number before it is brought back.
        if contents.len() * (2 * powers.len() - 1) > 1 << 8 {
            return None;
        }
        let twist = powers.get(1).unwrap_or(&powers[0]).clone();
        Some(Kind { places, contents, twist, twists: powers.len(), moves, differ, bytes: Vec::new() })
    }
}

/// The powers of one order that all these orders are among, beginning with none; `None` if there are none such.
fn powers_of_one<'order>(orders: impl Iterator<Item = &'order Vec<usize>>) -> Option<Vec<Vec<usize>>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for order in orders {
        if all.is_empty() {
            all.push((0..order.len()).collect());
        }
        if !all.contains(order) {
            all.push(order.clone());
        }
    }
    // What follows from them.
    let mut index = 0;
    while index < all.len() {
        for other in 0..=index {
            for product in [moved(&all[index], &all[other]), moved(&all[other], &all[index])] {
                if !all.contains(&product) {
                    all.push(product);
                }
            }
        }
        if all.len() > ORDERS_MAX {
            return None;
        }
        index += 1;
    }
    all.iter().find_map(|one| {
        let mut powers: Vec<Vec<usize>> = vec![all.first()?.clone()];
        while powers.len() < all.len() {
            let next: Vec<usize> = powers[powers.len() - 1].iter().map(|&at| one[at]).collect();
            if powers.contains(&next) {
                return None;
            }
            powers.push(next);
        }
        Some(powers)
    })
}
