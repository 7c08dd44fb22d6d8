//! What is kept of a state of one kind of pieces: how the pieces on all places are twisted, or which places hold some
//! of them. Either changes with a move in a way that depends on nothing else, so a small table says how.

use game::motion::{Kind, Motion};

/// One thing that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coordinate {
    /// By place, how the piece there is twisted, counted from a field of each place that is taken for the first one.
    Twists {
        /// Of which kind.
        kind: usize,
        /// By place: its first field.
        reference: Vec<u8>,
    },
    /// Which places hold the pieces of a block.
    Places {
        /// Of which kind.
        kind: usize,
        /// The places where these pieces belong, one bit each.
        block: u32,
    },
}

/// Values of a coordinate at most: moves are kept as `u16`.
pub const SIZE_MAX: usize = 1 << 16;

/// Places of a kind at most.
pub const PLACES_MAX: usize = 16;

impl Coordinate {
    /// The kind of pieces.
    #[must_use]
    pub fn kind(&self) -> usize {
        match self {
            Coordinate::Twists { kind, .. } | Coordinate::Places { kind, .. } => *kind,
        }
    }

    /// Bits that a value takes before it is numbered.
    pub(super) fn bits(&self, motion: &Motion) -> u32 {
        let kind = &motion.kinds[self.kind()];
        match self {
            Coordinate::Twists { .. } => 32 - (twists(kind) as u32 - 1).leading_zeros(),
            Coordinate::Places { .. } => kind.places.len() as u32,
        }
    }

    /// What a piece on a place adds to the value of a state; of the inverse state if so wanted. All of them add up to
    /// the value before it is numbered.
    pub(super) fn share(&self, motion: &Motion, piece: usize, site: u8, of_inverse: bool) -> u64 {
        let kind = &motion.kinds[self.kind()];
        let (Some((place, twist)), Some(home)) =
            (kind.lies[usize::from(site)], kind.pieces.iter().position(|&own| own == piece))
        else {
            return 0;
        };
        let place = usize::from(place);
        let (holder, held) = if of_inverse { (home, place) } else { (place, home) };
        match self {
            Coordinate::Twists { reference, .. } => {
                let (first, last) = (usize::from(reference[home]), usize::from(reference[place]));
                let twist = (usize::from(twist) + first + kind.twists - last) % kind.twists;
                let twist = if of_inverse { (kind.twists - twist) % kind.twists } else { twist };
                let written = holder + 1 < kind.places.len();
                if written { (twist * kind.twists.pow(holder as u32)) as u64 } else { 0 }
            }
            Coordinate::Places { block, .. } => u64::from(block >> held & 1) << holder,
        }
    }
}

fn twists(kind: &Kind) -> usize {
    kind.twists.pow(kind.places.len() as u32 - 1)
}

/// A coordinate with all its values.
#[derive(Clone, Debug)]
pub struct Counted {
    /// What is counted.
    pub coordinate: Coordinate,
    /// How many values there are.
    pub size: usize,
    /// The value of the solved state.
    pub goal: usize,
    /// How many moves there are.
    pub moves: usize,
    /// By value and move: the value behind it.
    after: Vec<u16>,
    /// By set of places: its number. Empty where values need none.
    pub(super) numbers: Vec<u16>,
}

impl Counted {
    /// All values; `None` if there are too many.
    #[must_use]
    pub fn new(motion: &Motion, coordinate: &Coordinate) -> Option<Counted> {
        let kind = &motion.kinds[coordinate.kind()];
        let count = kind.places.len();
        if motion.modes.len() != 1 || count > PLACES_MAX || kind.pieces.len() != count {
            return None;
        }
        let moves = motion.modes[0].len();
        // By move and place: the place that it leads to and the turn.
        let turns: Vec<Vec<(usize, usize)>> = motion.modes[0]
            .iter()
            .map(|operator| {
                let to = |place: &Vec<u8>| kind.lies[usize::from(operator.map[usize::from(place[0])])];
                kind.places
                    .iter()
                    .map(|place| to(place).map(|(to, turn)| (usize::from(to), usize::from(turn))))
                    .collect()
            })
            .collect::<Option<_>>()?;
        match coordinate {
            Coordinate::Twists { reference, .. } => {
                let size = kind.twists.checked_pow(count as u32 - 1).filter(|&size| size <= SIZE_MAX)?;
                if !kind.keeps_twist {
                    return None;
                }
                let relative = |from: usize, (to, turn): (usize, usize)| {
                    (turn + usize::from(reference[from]) + kind.twists - usize::from(reference[to]))
                        % kind.twists
                };
                let mut after = Vec::with_capacity(size * moves);
                for value in 0..size {
                    let digits = digits(value, kind.twists, count);
                    for turn in &turns {
                        let mut behind = [0; PLACES_MAX];
                        for (from, &step) in turn.iter().enumerate() {
                            behind[step.0] = (digits[from] + relative(from, step)) % kind.twists;
                        }
                        let number =
                            behind[..count - 1].iter().rev().fold(0, |sum, digit| sum * kind.twists + digit);
                        after.push(number as u16);
                    }
                }
                Some(Counted {
                    coordinate: coordinate.clone(),
                    size,
                    goal: 0,
                    moves,
                    after,
                    numbers: Vec::new(),
                })
            }
            Coordinate::Places { block, .. } => {
                let sets: Vec<usize> =
                    (0..1_usize << count).filter(|set| set.count_ones() == block.count_ones()).collect();
                let mut numbers = vec![0; 1 << count];
                sets.iter().enumerate().for_each(|(number, &set)| numbers[set] = number as u16);
                let image = |set: usize, turn: &Vec<(usize, usize)>| {
                    (0..count)
                        .filter(|place| set >> place & 1 != 0)
                        .map(|place| 1 << turn[place].0)
                        .sum::<usize>()
                };
                let after = sets.iter().flat_map(|&set| turns.iter().map(move |turn| (set, turn)));
                let after = after.map(|(set, turn)| numbers[image(set, turn)]).collect();
                let goal = usize::from(numbers[*block as usize]);
                Some(Counted {
                    coordinate: coordinate.clone(),
                    size: sets.len(),
                    goal,
                    moves,
                    after,
                    numbers,
                })
            }
        }
    }

    /// The value behind a move.
    #[must_use]
    #[inline]
    pub fn after(&self, value: usize, number: usize) -> usize {
        usize::from(self.after[value * self.moves + number])
    }
}

/// The twists of all places that a number stands for; the last one follows from the others.
fn digits(value: usize, twists: usize, count: usize) -> [usize; PLACES_MAX] {
    let mut digits = [0; PLACES_MAX];
    let (mut left, mut sum) = (value, 0);
    for digit in &mut digits[..count - 1] {
        *digit = left % twists;
        sum += *digit;
        left /= twists;
    }
    digits[count - 1] = (twists - sum % twists) % twists;
    digits
}

/// Coordinates that are looked at together: symmetries may mix them.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is made of.
    pub coordinates: Vec<Counted>,
}

impl Part {
    /// How many values there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.coordinates.iter().map(|one| one.size).product()
    }

    /// The value of the solved state.
    #[must_use]
    pub fn goal(&self) -> usize {
        self.coordinates.iter().fold(0, |value, one| value * one.size + one.goal)
    }

    /// The value behind a move.
    #[must_use]
    pub fn after(&self, mut value: usize, number: usize) -> usize {
        let (mut behind, mut weight) = (0, 1);
        for one in self.coordinates.iter().rev() {
            behind += one.after(value % one.size, number) * weight;
            value /= one.size;
            weight *= one.size;
        }
        behind
    }

    /// Whether exchanging moves for others is a symmetry of these values, as far as so many of them show.
    #[must_use]
    pub fn keeps(&self, moves: &[usize], most: usize) -> bool {
        let mut images = std::collections::HashMap::from([(self.goal(), self.goal())]);
        let (mut open, mut next) = (vec![self.goal()], 0);
        while let Some(&value) = open.get(next) {
            next += 1;
            let image = images[&value];
            for (number, &other) in moves.iter().enumerate() {
                let (to, wanted) = (self.after(value, number), self.after(image, other));
                match images.get(&to) {
                    Some(&known) if known != wanted => return false,
                    None if open.len() < most => {
                        images.insert(to, wanted);
                        open.push(to);
                    }
                    _ => {}
                }
            }
        }
        true
    }
}
