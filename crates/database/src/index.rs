//! Numbers for the ways in which some pieces can lie: every number below the size stands for exactly one of them.

use game::motion::Kind;

/// How the places and twists of some pieces of one kind become a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    places: usize,
    twists: usize,
    pieces: usize,
    /// Twists that are written down: if all pieces are there the last one follows from the others.
    twisted: usize,
    /// The twists of the last piece follow from this sum.
    sum: usize,
}

/// Pieces of a pattern at most.
pub const PIECES_MAX: usize = 16;

impl Index {
    /// The index of so many pieces of a kind.
    #[must_use]
    pub fn new(kind: &Kind, pieces: usize) -> Index {
        let follows = kind.twists > 1 && kind.keeps_twist && pieces == kind.places.len();
        let twisted = pieces - usize::from(follows);
        Index { places: kind.places.len(), twists: kind.twists, pieces, twisted, sum: 0 }
    }

    /// How many numbers there are; `None` if there are more than can be counted.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        let ways = (0..self.pieces).try_fold(1_usize, |size, taken| size.checked_mul(self.places - taken))?;
        (0..self.twisted).try_fold(ways, |size, _| size.checked_mul(self.twists))
    }

    /// The number of a way to lie: place and twist of each piece, in the order of the pattern.
    #[must_use]
    #[inline]
    pub fn rank(&self, lies: impl Iterator<Item = (u8, u8)>) -> usize {
        let (mut taken, mut order, mut twists) = (0_u64, 0, 0);
        for (number, (place, twist)) in lies.enumerate() {
            let before = (taken & ((1 << place) - 1)).count_ones() as usize;
            taken |= 1 << place;
            order = order * (self.places - number) + usize::from(place) - before;
            if number < self.twisted {
                twists = twists * self.twists + usize::from(twist);
            }
        }
        if self.twists == 1 { order } else { order * self.twists.pow(self.twisted as u32) + twists }
    }

    /// The way to lie that has a number: place and twist of each piece.
    pub fn unrank(&self, index: usize, lies: &mut [(u8, u8); PIECES_MAX]) {
        let all = self.twists.pow(self.twisted as u32);
        let (mut order, mut twists) = (index / all, index % all);
        let mut sum = 0;
        for lie in lies[..self.twisted].iter_mut().rev() {
            lie.1 = (twists % self.twists) as u8;
            sum += twists % self.twists;
            twists /= self.twists;
        }
        for lie in &mut lies[self.twisted..self.pieces] {
            lie.1 = ((self.sum + self.twists - sum % self.twists) % self.twists) as u8;
        }
        let mut digits = [0_u8; PIECES_MAX];
        for number in (0..self.pieces).rev() {
            digits[number] = (order % (self.places - number)) as u8;
            order /= self.places - number;
        }
        let mut free = u64::MAX >> (64 - self.places);
        for (lie, &digit) in lies.iter_mut().zip(&digits).take(self.pieces) {
            let mut left = free;
            for _ in 0..digit {
                left &= left - 1;
            }
            let place = left.trailing_zeros();
            free &= !(1 << place);
            lie.0 = place as u8;
        }
    }

    /// How many pieces it is for.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }
}
